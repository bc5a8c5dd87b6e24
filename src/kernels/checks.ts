// What a call is given, looked at before anything is done. In: arguments as plain JavaScript may give them. Out:
// nothing, or a `TeselaError` with the argument's name. The one idea: types are gone at run time, so each public
// function says the kinds of its arguments and the names of its options once more, and a name that is not known is
// answered with the nearest one that is.
import { nearest } from '../base/index.ts'
import { refuse } from './error.ts'

/** What an object says it is: `Object`, `Array`, `Float32Array`, `Tensor`. */
const plainly = (x: object): string => Object.prototype.toString.call(x).slice('[object '.length, -1)

/** A value in a few words, for a sentence. */
export function described(x: unknown): string {
  if (x === null || x === undefined || typeof x === 'boolean' || typeof x === 'number') return String(x)
  if (typeof x === 'string') return x.length > 40 ? 'a long text' : `'${x}'`
  if (typeof x !== 'object') return `a ${typeof x}`
  const kind = plainly(x)
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind === 'Object' || kind === 'Array' ? kind.toLowerCase() : kind}`
}

/** Throws unless `options` is an object that has no names but these. */
export function checkOptions(what: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || plainly(options) !== 'Object')
    refuse(`${what}.options`, `the options of ${what} are an object, not ${described(options)}`, listed(names))
  for (const name in options) {
    if (names.includes(name)) continue
    const meant = nearest(usual.get(name) ?? name, names)
    refuse(
      `${what}.options`,
      `${what} has no option '${name}'`,
      meant === undefined ? listed(names) : `did you mean '${meant}'?`,
    )
  }
}

/** Names that other libraries have. */
const usual: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['dim', 'axis'],
  ['dims', 'axes'],
])

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'there are none' : `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`

/** Throws unless the option is absent or a boolean. */
export function checkFlags(what: string, flags: Readonly<Record<string, unknown>>): void {
  for (const name in flags) {
    const x = flags[name]
    if (x !== undefined && typeof x !== 'boolean')
      refuse(`${what}.options`, `'${name}' of ${what} is true or false, not ${described(x)}`)
  }
}

/** Throws unless the option is absent or a number (not NaN); with `integer`, an integer of at least `least`. */
export function checkNumber(what: string, name: string, x: unknown, least?: number): void {
  if (x === undefined) return
  if (typeof x !== 'number' || Number.isNaN(x))
    refuse(`${what}.options`, `'${name}' of ${what} is a number, not ${described(x)}`)
  if (least !== undefined && (!Number.isSafeInteger(x) || x < least))
    refuse(`${what}.options`, `'${name}' of ${what} is an integer from ${least}, not ${x}`)
}

/** Throws unless the option is one of some words. */
export function checkWord(what: string, name: string, x: unknown, words: readonly string[]): void {
  if (typeof x === 'string' && words.includes(x)) return
  const meant = typeof x === 'string' ? nearest(x, words) : undefined
  refuse(
    `${what}.${name}`,
    `${what} knows no ${name} ${described(x)}`,
    meant === undefined ? `it is one of ${words.join(', ')}` : `did you mean '${meant}'?`,
  )
}

/**
 * The axes that options name, as `axis` or as `axes`: integers from −rank, none of them twice; `undefined` when neither
 * is there. Throws when both are.
 */
export function axesFrom(
  what: string,
  code: string,
  shape: readonly number[],
  { axis, axes }: { readonly axis?: unknown; readonly axes?: unknown },
): readonly number[] | undefined {
  if (axis !== undefined && axes !== undefined)
    refuse(code, `${what} is given both 'axis' and 'axes'`, 'they mean the same: leave one out')
  const given = axes === undefined ? axis : axes
  if (given === undefined) return undefined
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const rank = shape.length
  const full = list.map((a) => {
    if (typeof a !== 'number' || !Number.isInteger(a))
      return refuse(code, `an axis of ${what} is an integer, not ${described(a)}`)
    if (a < -rank || a >= rank) return refuse(code, `a tensor of shape [${shape.join(', ')}] has no axis ${a}`)
    return a < 0 ? a + rank : a
  })
  if (new Set(full).size < full.length) refuse(code, `the axes [${list.join(', ')}] name one twice`)
  return full
}

/** The one axis that options name; `undefined` when none is there. Throws when there are several. */
export function axisFrom(
  what: string,
  code: string,
  shape: readonly number[],
  options: { readonly axis?: unknown; readonly axes?: unknown },
): number | undefined {
  const axes = axesFrom(what, code, shape, options)
  if (axes === undefined) return undefined
  return axes.length === 1 ? axes[0] : refuse(code, `${what} goes along one axis, not along ${axes.length}`)
}
