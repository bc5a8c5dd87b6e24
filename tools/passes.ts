// In: the declarations of passes, and their examples. Out: docs/passes.md, all of them in their order. The one idea:
// the page is made from the pipelines, so it names no pass that does not run. Usage: npx tsx tools/passes.ts [--check]
// (exit 1 when the page is not what the declarations say)
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { wrap } from '../src/report/index.ts'
import { allPasses, passCatalogue, type CatalogueSection } from '../src/pipeline/catalogue.ts'
import { passExamples } from './pass-examples.ts'

const page = join(resolve(import.meta.dirname, '..'), 'docs/passes.md')

const prose = (text: string): readonly string[] => wrap(text, 118)

/** `text` as a sentence. */
const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** What a pass rewrites or a translation takes. */
const given = (p: (typeof allPasses)[number]): string => (p.kind === 'pass' ? p.of : p.from).name

const link = (name: string): string => `[${name}](#${name})`

function orderOf(s: CatalogueSection): readonly string[] {
  const head = [`### ${s.name}`, '', ...prose(sentence(s.summary)), '']
  if (s.kind === 'alternatives')
    return [
      ...head,
      ...prose(`The way with the least ${s.cost} is taken; reports keep the cost of each.`),
      '',
      '| way | what it does |',
      '| --- | --- |',
      ...Object.entries(s.ways).map(([name, text]) => `| ${name} | ${text} |`),
      '',
    ]
  if (s.kind === 'vocabulary')
    return [
      ...head,
      '| step | what it does |',
      '| --- | --- |',
      ...Object.entries(s.words).map(([name, text]) => `| ${name} | ${text} |`),
      '',
    ]
  return [
    ...head,
    '| pass | why it stands here |',
    '| --- | --- |',
    ...s.steps.map(({ pass, because }) => `| ${link(pass.name)} | ${because ?? ''} |`),
    '',
  ]
}

export function passesPage(): string {
  const examples = passExamples()
  const passes = allPasses.flatMap((p) => [
    `### ${p.name}`,
    '',
    ...prose(`${sentence(p.summary)}${p.needs.length > 0 ? ` It asks for ${p.needs.join(', ')}.` : ''}`),
    '',
    `${given(p)}, before:`,
    '',
    '```c',
    examples.get(p.name)?.before ?? '',
    '```',
    '',
    `${p.kind === 'pass' ? 'and' : p.to.name} after:`,
    '',
    '```c',
    examples.get(p.name)?.after ?? '',
    '```',
    '',
  ])
  return [
    '# Passes',
    '',
    ...prose(
      'What the compiler does to a program, in its order. `npx tsx tools/passes.ts` makes this page from the ' +
        'declarations, and a test runs every example. `tesela optimize FILE.c --print-changed` shows what each pass ' +
        'does to a program of yours; `--print-after` and `--stop-after` take a name from this page.',
    ),
    '',
    '## The order',
    '',
    ...passCatalogue.flatMap(orderOf),
    '## The passes',
    '',
    ...passes,
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

if (process.argv[1]?.endsWith('passes.ts')) {
  const text = passesPage()
  if (!process.argv.includes('--check')) writeFileSync(page, text)
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/passes.md is not what the declarations say: npx tsx tools/passes.ts')
    process.exit(1)
  }
}
