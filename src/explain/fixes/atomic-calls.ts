// Calls of atomics in a source. In: its text. Out: each call with the place that it changes, in its parts. The one
// idea: WGSL and CUDA write them alike but for how a place is named: `&bins[i]`, and in CUDA `bins + i` and `bins`.
import { closing, splitTop, type SourceCode, type TextRange } from './source-text.ts'

export interface AtomicCall extends TextRange {
  /** `atomicAdd`, … */
  readonly op: string
  /** `bins` of `&bins[i]`, or `state.count`. */
  readonly path: string
  /** `i`; null where it is one variable. */
  readonly index: string | null
  readonly value: string
  /** What is changed, as it is written. */
  readonly target: string
}

/** All calls of these names with a place and a value. */
export function atomicCalls({ bare, text, language }: SourceCode, ops: readonly string[]): readonly AtomicCall[] {
  return [...bare.matchAll(new RegExp(`\\b(${ops.join('|')})\\s*\\(`, 'g'))].flatMap((m): AtomicCall[] => {
    const open = m.index + m[0].length - 1
    const to = closing(bare, open)
    const [target, value, ...more] = splitTop(bare, open + 1, to - 1)
    if (!target || !value || more.length > 0) return []
    const place = placeOf(text.slice(target.from, target.to).trim(), language)
    if (!place) return []
    const common = { op: m[1]!, value: text.slice(value.from, value.to).trim(), from: m.index, to }
    return [{ ...common, ...place, target: text.slice(target.from, target.to).trim() }]
  })
}

/** The array or variable, and the index where there is one. */
function placeOf(target: string, language: SourceCode['language']): Pick<AtomicCall, 'path' | 'index'> | null {
  const [, path, bracket] = /^&\s*\(?\s*([A-Za-z_][\w.]*)\s*(\[)?/.exec(target) ?? []
  if (path !== undefined && bracket === undefined) return { path, index: null }
  if (path !== undefined) {
    const open = target.indexOf('[')
    const close = closing(target, open)
    return /^\s*\)?\s*$/.test(target.slice(close)) ? { path, index: target.slice(open + 1, close - 1) } : null
  }
  if (language === 'wgsl') return null
  const [, pointer, index] = /^([A-Za-z_]\w*)\s*(?:\+\s*([^]+))?$/.exec(target) ?? []
  return pointer === undefined ? null : { path: pointer, index: index ?? null }
}

/** The statement that a call is, with what stands before it unless that is a whole statement; null in an expression. */
export function statementOf({ bare }: SourceCode, call: AtomicCall): TextRange | null {
  const stop = /^\s*;/.exec(bare.slice(call.to))
  const isAhead = /(?:[;{})]|\belse|^)\s*$/.test(bare.slice(Math.max(0, call.from - 400), call.from))
  return stop && isAhead ? { from: call.from, to: call.to + stop[0].length } : null
}

/** The type of the numbers at a path; `u32` and `unsigned int` where the text does not say it. */
export function numberAt({ bare, language }: SourceCode, path: string): string {
  const [name = ''] = path.split('.').slice(-1)
  if (language === 'wgsl') return new RegExp(`\\b${name}\\s*:[^;,]*atomic\\s*<\\s*i32`).test(bare) ? 'i32' : 'u32'
  const types = 'unsigned\\s+long\\s+long(?:\\s+int)?|unsigned\\s+int|unsigned|u?int(?:32_t|64_t)?|float|double'
  const declared = new RegExp(`\\b(${types})\\b\\s*(?:const\\s*)?[*&]?\\s*(?:__restrict__|restrict)?\\s*\\b${name}\\b`)
  return declared.exec(bare)?.[1]?.replace(/\s+/g, ' ') ?? 'unsigned int'
}
