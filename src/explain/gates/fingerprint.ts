// In: a report. Out: for each finding and hazard a name that stays the same when lines move: rule, kernel, the text of
// the access, and which of equal ones it is. SARIF and baselines use it.
import type { AccessJson, ExplainReport } from '../types.ts'

type Problem = ExplainReport['findings'][number] | ExplainReport['hazards'][number]

/** 64 bits of FNV-1a as 16 hexadecimal digits. */
export function hash(text: string): string {
  let h = 0xcbf29ce484222325n
  for (const c of text) h = BigInt.asUintN(64, (h ^ BigInt(c.codePointAt(0) ?? 0)) * 0x100000001b3n)
  return h.toString(16).padStart(16, '0')
}

const samePlace = (a: AccessJson['at'], b: AccessJson['at']): boolean =>
  a !== null && b !== null && a.line === b.line && a.column === b.column

/** What is written at a place: the text of the access there, else nothing. */
const textAt = (r: ExplainReport, at: AccessJson['at']): string =>
  r.accesses.find((a) => samePlace(a.at, at))?.text ?? ''

/** Fingerprints in the order given. Two findings of the same rule on the same text differ by their number. */
export function fingerprints(r: ExplainReport, problems: readonly Problem[]): string[] {
  const seen = new Map<string, number>()
  return problems.map((p) => {
    const other = 'other' in p ? textAt(r, p.other) : ''
    const key = ['rule' in p ? p.rule : p.kind, r.kernel.name, textAt(r, p.at), other].join('\n')
    const n = seen.get(key) ?? 0
    seen.set(key, n + 1)
    return hash(`${key}\n${n}`)
  })
}

/** Accesses by what they are, not where they stand. */
export function accessKeys(list: readonly AccessJson[]): string[] {
  const seen = new Map<string, number>()
  return list.map((a) => {
    const key = [a.op, a.resource, a.text, a.bytesPerLane].join('\n')
    const n = seen.get(key) ?? 0
    seen.set(key, n + 1)
    return `${key}\n${n}`
  })
}
