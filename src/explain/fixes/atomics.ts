// Updates of shared places in two steps. In: updates that are lost. Out: candidates. The one idea: what a load, an
// operation and a store do is one atomic operation of the same name.
import { pathOf, type FixCandidate, type FixCase } from './candidate.ts'
import { without, type SourceCode, type BlockStep } from './source-text.ts'
import type { ExplainReport } from '../types.ts'

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
