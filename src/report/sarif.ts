// In: an `ExplainReport`. Out: a SARIF 2.1.0 log (OASIS), for code scanning. The one idea: a finding or hazard is a
// result with a stable rule id; its fingerprint is made of the rule, the file and the text of the access, so that it
// stays the same when lines move. Paths are as given, with forward slashes; absolute ones lose their root.
import {
  fingerprints,
  hash,
  hazardTexts,
  helpTexts,
  ruleTexts,
  type ExplainReport,
  type Level,
  type Remedy,
} from '../explain/index.ts'

type At = ExplainReport['accesses'][number]['at']
interface Problem {
  readonly print: string
  readonly rule: string
  readonly level: Level
  readonly at: At
  readonly message: string
  readonly other?: At
  readonly properties: object
  readonly remedies: readonly Remedy[]
}

const rules: Readonly<Record<string, string>> = { ...ruleTexts, ...hazardTexts }
const help: Readonly<Record<string, string>> = helpTexts

/** Plain data, ready for `JSON.stringify`. `remedies`: changes that mend results, as their `fixes`. */
export function explainSarif(r: ExplainReport, version: string, remedies: readonly Remedy[] = []): object {
  const mending = (of: Remedy['of'], i: number): readonly Remedy[] =>
    remedies.filter((m) => m.of === of && m.index === i)
  const hazardPrints = fingerprints(r, r.hazards),
    findingPrints = fingerprints(r, r.findings)
  const problems: Problem[] = [
    ...r.hazards.map(
      (h, i): Problem => ({
        print: hazardPrints[i] ?? '',
        rule: h.kind,
        level: h.level,
        at: h.at,
        other: h.other,
        message: `${h.message}; for example ${h.example}`,
        properties: { count: h.count },
        remedies: mending('hazard', i),
      }),
    ),
    ...r.findings.map(
      (f, i): Problem => ({
        print: findingPrints[i] ?? '',
        rule: f.rule,
        level: f.level,
        at: f.at,
        message: `${f.message}. ${f.fix}.`,
        properties: { speedup: f.speedup, scope: f.scope },
        remedies: mending('finding', i),
      }),
    ),
  ]
  const ids = Object.keys(rules)
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'tesela',
            semanticVersion: version,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: rules[id] },
              help: { text: help[id] ?? '', markdown: `**What to do.** ${help[id] ?? ''}` },
            })),
          },
        },
        automationDetails: { id: `tesela/explain/${uriOf(r.kernel.file)}/${r.kernel.name}/${r.gpu}` },
        columnKind: 'utf16CodeUnits',
        results: problems.map((p) => result(p, r, ids)),
      },
    ],
  }
}

function result(p: Problem, r: ExplainReport, ids: readonly string[]): object {
  return {
    ruleId: p.rule,
    ruleIndex: ids.indexOf(p.rule),
    level: p.level,
    message: { text: p.message },
    locations: [location(p.at, r.kernel.file)],
    ...(p.other && {
      relatedLocations: [{ id: 1, ...location(p.other, r.kernel.file), message: { text: 'the other access' } }],
    }),
    ...(p.remedies.length > 0 && { fixes: p.remedies.map((m) => fix(m, r.kernel.file)) }),
    partialFingerprints: { 'tesela/v1': hash(`${uriOf(r.kernel.file)}\n${p.print}`) },
    properties: { ...p.properties, gpu: r.gpu, kernel: r.kernel.name },
  }
}

/** A change of the kernel's file; the end of a region is behind its last character. */
const fix = (m: Remedy, file: string): object => ({
  description: { text: `${m.does}: ${Math.round(m.before)} ns before, ${Math.round(m.after)} ns after` },
  artifactChanges: [
    {
      artifactLocation: { uri: uriOf(file) },
      replacements: m.edits.map(({ from, to, text }) => ({
        deletedRegion: { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column },
        insertedContent: { text },
      })),
    },
  ],
})

const location = (at: At, file: string): object => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(at?.file ?? file) },
    region: { startLine: at?.line ?? 1, startColumn: at?.column ?? 1 },
  },
})

/** A relative URI: forward slashes, no drive or root, everything unusual escaped. */
const uriOf = (file: string): string =>
  file
    .replace(/\\/g, '/')
    .replace(/^([A-Za-z]:)?\/+/, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
