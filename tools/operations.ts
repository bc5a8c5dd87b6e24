// In: the tables of `src/ir/promises`. Out: docs/operations.md, what each target promises of each operation. The one
// idea: the page is the table that proofs run by, so it cannot say anything else. Usage: npx tsx tools/operations.ts
// [--check]   (exit 1 when the page is not what the tables say)
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  atomicPromises,
  memoryPromises,
  opRow,
  ops,
  promiseOf,
  subgroupPromises,
  type Allowed,
  type Open,
  type OpName,
  type Promised,
  type TargetName,
  type WordsByTarget,
} from '../src/ir/index.ts'

const page = join(resolve(import.meta.dirname, '..'), 'docs/operations.md')

/** Powers of two and multiples of 2π by their names. */
function number(x: number): string {
  const exponent = Math.log2(x)
  if (Number.isInteger(exponent) && Math.abs(exponent) > 8) return `2^${exponent}`
  if (Number.isInteger(Math.log2(x / (2 * Math.PI)))) return `2^${Math.log2(x / (2 * Math.PI))} · 2π`
  return String(Number(x.toPrecision(3)))
}

function errorWords(allowed: Allowed): string {
  switch (allowed.kind) {
    case 'exact':
      return 'exact or rounded to nearest'
    case 'ulp':
      return (
        [
          `${allowed.ulp} ULP`,
          ...(allowed.perArgument ? [`${allowed.perArgument} per unit of \\|a\\|`] : []),
          ...(allowed.perExponent ? [`${allowed.perExponent} per unit of \\|b\\|`] : []),
          ...(allowed.perLogarithm ? [`${allowed.perLogarithm} per unit of \\|b · log2 a\\|`] : []),
        ].join(' + ') + (allowed.wholePowers ? '; exact of few whole factors' : '')
      )
    case 'absolute':
      return [
        ...(allowed.absolute > 0 ? [`${number(allowed.absolute)}`] : []),
        ...(allowed.relative ? [`${number(allowed.relative)} · \\|r\\|`] : []),
        ...(allowed.grown ? [`${number(allowed.grown)} · (1 + \\|r\\|)²`] : []),
      ].join(' + ')
    case 'logarithm':
      return `${number(allowed.absolute)} for a in ½ … 2, ${allowed.ulp} ULP elsewhere`
  }
}

const openWords = (o: Open): string =>
  'above' in o ? `\\|${'ab'[o.argument]}\\| > ${number(o.above)}` : `0 < \\|${'ab'[o.argument]}\\| < ${number(o.below)}`

function row(op: OpName, target: TargetName): string {
  const p: Promised = promiseOf(op, target, false)
  const open = (p.open ?? []).map(openWords).join(', ')
  const double = target === 'cuda' && p.f64 ? `; of double ${errorWords(p.f64)}` : ''
  return (
    `| \`${op}\` | ${opRow(op).does.replaceAll('|', '\\|')} | ${errorWords(p.f32)}${double} | ${open} | ` +
    `${(p.note ?? '').replaceAll('|', '\\|')} | ${p.source} |`
  )
}

const table = (target: TargetName): readonly string[] => [
  '| operation | is | error | open for | spelled, and integers | source |',
  '| --- | --- | --- | --- | --- | --- |',
  ...(Object.keys(ops) as OpName[]).map((op) => row(op, target)), // keys of the table
]

const pairs = (rows: Readonly<Record<string, WordsByTarget>>): readonly string[] => [
  '| what | WGSL | CUDA |',
  '| --- | --- | --- |',
  ...Object.entries(rows).map(([name, words]) => `| ${name} | ${words.wgsl} | ${words.cuda} |`),
]

/** The page as the tables make it. */
export const operationsPage = (): string =>
  [
    '# What targets promise of operations',
    '',
    'Made by `tools/operations.ts` from `src/ir/promises`, by which `tesela optimize` proves: inexact results ' +
      'are moved',
    'by up to their error, open ones are NaN. r is the result, a and b are the arguments; ULP: units in the last place',
    'of r. The tables speak of operations as they are emitted, in single precision unless said otherwise. Sources are',
    'specifications; *recalled* marks sections that were not read again. SwiftShader answers to the table of ' +
      'WGSL in the',
    'tests; `bench/device/promises.ts` asks a real device of both.',
    '',
    '## WGSL',
    '',
    'Denormals may be flushed to zero everywhere (§15.7.2). Implementations may take it that there are no NaNs and',
    'infinities (§15.7.2): questions about NaNs go by bits, while infinities are taken to be those of IEEE 754.',
    '',
    ...table('wgsl'),
    '',
    '## CUDA',
    '',
    'Compiled without fast mathematics: denormals are kept, infinities and NaNs are those of IEEE 754.',
    '',
    ...table('cuda'),
    '',
    '## Memory',
    '',
    ...pairs(memoryPromises),
    '',
    '## Atomics',
    '',
    ...pairs(atomicPromises),
    '',
    '## Subgroups',
    '',
    ...pairs(subgroupPromises),
    '',
  ].join('\n')

const isMain = process.argv[1] !== undefined && resolve(process.argv[1]) === resolve(import.meta.filename)
if (isMain) {
  const current = operationsPage()
  if (!process.argv.includes('--check')) writeFileSync(page, current)
  else if (readFileSync(page, 'utf8') !== current) {
    console.error('docs/operations.md is not what src/ir/promises says: npx tsx tools/operations.ts')
    process.exitCode = 1
  }
}
