// Updates of shared places. In: atomics that wait for each other, or updates that are lost. Out: candidates. The one
// idea: a block adds up in memory of its own and adds its sums once; what the kernel did becomes a function, so that a
// thread that leaves it early still comes to the end of the block.
import { accessesAt, pathOf, type FixCandidate, type FixCase } from './candidate.ts'
import {
  closing,
  unusedName,
  functionNamed,
  headOf,
  textOffset,
  without,
  type SourceCode,
  type Edit,
  type Item,
  type BlockStep,
} from './source-text.ts'
import { isOnceABlock } from '../rules/serialized-access.ts'
import type { ExplainReport, Finding } from '../types.ts'

/** Places that a block keeps sums of: 16 KiB of words, what every WebGPU device has. */
const mostPlaces = 4096

/** What is added up from 0, with the words for it; of signed integers the larger of two may be below 0. */
const combinations: Readonly<Record<string, string>> = {
  atomicAdd: 'add up',
  atomicMax: 'find the largest of',
  atomicOr: 'join the bits of',
  atomicXor: 'join the bits of',
}

interface Update {
  /** One of the combinations. */
  readonly op: string
  /** `&bins[i]` without the sign: the array or variable, and the index where there is one. */
  readonly path: string
  readonly index: string | null
  readonly value: string
  readonly item: { readonly from: number; readonly to: number }
}

/** Additions, maxima and bits of a block collected in workgroup memory (WGSL). */
export function privateSums(c: FixCase, f: Finding): readonly FixCandidate[] {
  const { code, report } = c
  const access = accessesAt(c, f.at).find((a) => a.op === 'atomic')
  const at = f.at && textOffset(code.text, f.at)
  if (code.language !== 'wgsl' || !access || at === null) return []
  if (report.accesses.some((a) => a.space === 'shared') && isOnceABlock(access, report.launch)) return []
  const updates = combined(code)
  const here = updates.find((u) => u.item.from <= at && at < u.item.to)
  const main = functionNamed(code, report.kernel.name)
  if (!here || !main) return []
  const same = updates.filter((u) => u.path === here.path)
  const buffer = report.buffers.find((b) => b.name === access.resource || b.name === here.path.split(/[.[]/)[0])
  const places = here.index === null ? 1 : Math.floor((buffer?.bytes ?? Infinity) / 4)
  if (!onlyCombined(code, here, same) || places > mostPlaces) return []
  const edits = collected(code, main, report, same, places)
  if (!edits) return []
  return [
    { does: `${combinations[here.op]} '${here.path}' in workgroup memory, and once a workgroup in storage`, edits },
  ]
}

/** Whether every use of the path is one of these updates, all of one kind that begins at 0. */
function onlyCombined(code: SourceCode, { path, op }: Update, updates: readonly Update[]): boolean {
  if (updates.some((u) => u.op !== op || (op === 'atomicMax' && typeOf(code, u) === 'i32'))) return false
  const { bare } = code
  const uses = [...bare.matchAll(new RegExp(`&\\s*${path.replace(/\W/g, '\\$&')}\\s*[[),]`, 'g'))]
  return uses.every((m) => updates.some((u) => u.item.from <= m.index && m.index < u.item.to))
}

/** All statements `atomicAdd(&path[index], value);` and those of the other combinations. */
function combined({ bare, text }: SourceCode): readonly Update[] {
  return [...bare.matchAll(/(?<=[;{}]\s*)(atomic(?:Add|Max|Or|Xor))\s*\(/g)].flatMap((m): Update[] => {
    const open = m.index + m[0].length - 1
    const end = closing(bare, open)
    const stop = /^\s*;/.exec(bare.slice(end))
    const parts = splitTop(bare, open + 1, end - 1)
    if (!stop || parts.length !== 2) return []
    const [target, value] = parts as [{ from: number; to: number }, { from: number; to: number }] // just counted
    const reference = /^\s*&\s*\(?([A-Za-z_][\w.]*)\s*(\[)?/.exec(bare.slice(target.from, target.to))
    if (!reference) return []
    const bracket = target.from + reference[0].length - 1
    const close = reference[2] ? closing(bare, bracket) : 0
    const isWhole = !reference[2] || /^\s*\)?\s*$/.test(bare.slice(close, target.to))
    if (!isWhole) return []
    return [
      {
        op: m[1]!,
        path: reference[1]!,
        index: reference[2] ? text.slice(bracket + 1, close - 1) : null,
        value: text.slice(value.from, value.to).trim(),
        item: { from: m.index, to: end + stop[0].length },
      },
    ]
  })
}

/** Parts between commas that stand in no bracket. */
function splitTop(bare: string, from: number, to: number): readonly { readonly from: number; readonly to: number }[] {
  const parts: { from: number; to: number }[] = []
  let depth = 0,
    start = from
  for (let i = from; i < to; i++) {
    if ('([{'.includes(bare[i]!)) depth++
    if (')]}'.includes(bare[i]!)) depth--
    if (bare[i] === ',' && depth === 0) {
      parts.push({ from: start, to: i })
      start = i + 1
    }
  }
  return to > start && bare.slice(start, to).trim() !== '' ? [...parts, { from: start, to }] : parts
}

function collected(
  code: SourceCode,
  main: Item,
  report: ExplainReport,
  updates: readonly Update[],
  places: number,
): readonly Edit[] | null {
  const { bare, text } = code
  const body = main.blocks[main.blocks.length - 1]
  const head = headOf(code, main)
  const open = main.from + head.indexOf('(', /\bfn\s+\w+\s*/.exec(head)?.index ?? 0)
  const first = updates[0]
  if (!body || !first) return null
  const inputs = splitTop(bare, open + 1, closing(bare, open) - 1).map(({ from, to }) => text.slice(from, to).trim())
  const plain = inputs.map((p) => p.replace(/@\w+\s*(?:\([^)]*\))?\s*/g, ''))
  const names = plain.map((p) => /^\w+/.exec(p)?.[0] ?? '')
  const { name } = report.kernel
  const [sums, work, k, sum] = [`${first.path.replace(/\W/g, '_')}_sums`, `${name}_work`, 'place', 'sum'].map((n) =>
    unusedName(bare, n),
  ) as [string, string, string, string] // as many as are given
  const given = inputs.findIndex((p) => /local_invocation_index/.test(p))
  const rank = given >= 0 ? names[given]! : unusedName(bare, 'rank')
  const threads = report.launch.block[0] * report.launch.block[1] * report.launch.block[2]
  const type = typeOf(code, first)
  const all = given >= 0 ? inputs : [...inputs, `@builtin(local_invocation_index) ${rank}: u32`]
  const target = first.index === null ? first.path : `${first.path}[${k}]`
  const declared = `var<workgroup> ${sums}: array<atomic<${type}>, ${places}>;\n`
  const attributes = text.slice(main.from, main.from + head.search(/\bfn\b/))
  const entry =
    `\n\n${attributes}fn ${name}(${all.join(', ')}) {\n` +
    `  ${work}(${names.join(', ')});\n` +
    `  workgroupBarrier();\n` +
    `  for (var ${k} = ${rank}; ${k} < ${places}u; ${k} += ${threads}u) {\n` +
    `    let ${sum} = atomicLoad(&${sums}[${k}]);\n` +
    `    if (${sum} != 0) { ${first.op}(&${target}, ${sum}); }\n` +
    `  }\n}`
  return [
    { from: main.from, to: body.from, text: `${declared}\nfn ${work}(${plain.join(', ')}) ` },
    { from: main.to, to: main.to, text: entry },
    ...updates.map((u): Edit => {
      const local = `${u.op}(&${sums}[${u.index ?? '0'}], ${u.value});`
      return { ...u.item, text: local }
    }),
  ]
}

const typeOf = ({ bare }: SourceCode, { path }: Update): 'u32' | 'i32' => {
  const [name = ''] = path.split('.').slice(-1)
  return new RegExp(`\\b${name}\\s*:[^;,]*atomic\\s*<\\s*i32`).test(bare) ? 'i32' : 'u32'
}

/** Two steps that should be one: a load and a store of an atomic, or `+=` of what others add to (CUDA). */
export function wholeUpdates(c: FixCase, h: ExplainReport['hazards'][number]): readonly FixCandidate[] {
  const steps = [...new Set([pathOf(c, h.at).at(-1), pathOf(c, h.other).at(-1)])].flatMap((s) => (s ? [s] : []))
  return steps.flatMap((s) => (c.code.language === 'wgsl' ? exchanged(c.code, s) : added(c.code, s)))
}

const does = (text: string): string => `make the update one step: ${text.replace(/;$/, '')}`

const storePattern = /^atomicStore\s*\(\s*(&[^;]+?)\s*,\s*([^;]+)\)\s*;$/
const wholeStore =
  /^atomicStore\s*\(\s*(&[^;]+?)\s*,\s*atomicLoad\s*\(\s*(&[^;]+?)\s*\)\s*([-+|&^])\s*([^;]+?)\s*\)\s*;$/
const atomicOf: Readonly<Record<string, string>> = {
  '+': 'atomicAdd',
  '-': 'atomicSub',
  '|': 'atomicOr',
  '&': 'atomicAnd',
  '^': 'atomicXor',
  max: 'atomicMax',
  min: 'atomicMin',
}

/** `atomicStore(p, atomicLoad(p) + v)`, or the same with the loaded value in a name of its own before it. */
function exchanged(code: SourceCode, { item, list }: BlockStep): readonly FixCandidate[] {
  const { text } = code
  const statement = text.slice(item.from, item.to)
  const [, place, loaded, operator, value] = wholeStore.exec(statement) ?? []
  if (place !== undefined && loaded !== undefined && squeezed(place) === squeezed(loaded)) {
    const one = `${atomicOf[operator ?? ''] ?? ''}(${place}, ${value});`
    return [{ does: does(one), edits: [{ from: item.from, to: item.to, text: one }] }]
  }
  return list.flatMap((store): readonly FixCandidate[] => {
    const [, target, change] = storePattern.exec(text.slice(store.from, store.to)) ?? []
    if (target === undefined || change === undefined) return []
    return list.flatMap((load): readonly FixCandidate[] => {
      const declared = /^(let|var)\s+(\w+)([^=;]*)=\s*atomicLoad\s*\(\s*(&[^;]+?)\s*\)\s*;$/.exec(
        text.slice(load.from, load.to),
      )
      const step = declared && squeezed(declared[4]!) === squeezed(target) && stepOf(change.trim(), declared[2]!)
      if (!declared || !step) return []
      const one = `${declared[1]} ${declared[2]}${declared[3]}= ${step.atomic}(${target}, ${step.value});`
      const edits = [{ from: load.from, to: load.to, text: one }, without(code, store)]
      return [{ does: does(one), edits }]
    })
  })
}

/** `old + v`, `max(old, v)` as the name of an atomic and what it takes. */
function stepOf(change: string, old: string): { readonly atomic: string; readonly value: string } | null {
  const [, operator, behind] = new RegExp(`^${old}\\s*([-+|&^])\\s*([^-+|&^]+)$`).exec(change) ?? []
  if (operator !== undefined && behind !== undefined) return { atomic: atomicOf[operator]!, value: behind.trim() }
  const [, ahead, sign] = new RegExp(`^([^-+|&^]+?)\\s*([+|&^])\\s*${old}$`).exec(change) ?? []
  if (ahead !== undefined && sign !== undefined) return { atomic: atomicOf[sign]!, value: ahead.trim() }
  const [, extreme, value] = new RegExp(`^(max|min)\\s*\\(\\s*${old}\\s*,\\s*(.+)\\)$`).exec(change) ?? []
  return extreme !== undefined && value !== undefined ? { atomic: atomicOf[extreme]!, value: value.trim() } : null
}

/** `x[i] += v;` and `x[i] = x[i] + v;`, also behind an `if` or a `for`. */
function added({ text }: SourceCode, { item }: BlockStep): readonly FixCandidate[] {
  const statement = text.slice(item.from, item.to)
  const [, head = '', body = ''] = /^((?:(?:if|for)\s*\((?:[^()]|\([^()]*\))*\)\s*)*)([^]*)$/.exec(statement) ?? []
  const [, target, more] = /^([A-Za-z_*][^=;{}]*?)\s*\+=\s*([^;]+?)\s*;$/.exec(body) ?? []
  const [, place, same, value] = /^([A-Za-z_][^=;{}]*?)\s*=\s*([^;]+?)\s*\+\s*([^;]+?)\s*;$/.exec(body) ?? []
  const isSame = place !== undefined && same !== undefined && squeezed(place) === squeezed(same)
  const again = isSame ? `atomicAdd(&${place}, ${value});` : null
  const one = target !== undefined ? `atomicAdd(&${target}, ${more});` : again
  return one === null ? [] : [{ does: does(one), edits: [{ from: item.from, to: item.to, text: `${head}${one}` }] }]
}

const squeezed = (text: string): string => text.replace(/\s+/g, '')
