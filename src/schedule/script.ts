// A schedule under construction: a program, and a list of sentences that say what was done to it. The one idea: each
// step applies one primitive and records it, so that the header of the emitted kernel, the report and the ladder all
// tell the same story.
import { InternalError } from '../base/index.ts'
import {
  int,
  literal,
  type Binding,
  type Program,
  constantExtent,
  loopsNamed,
  replaceLoops,
  substituteStmt,
} from '../ir/index.ts'
import { bind } from './primitives/bind.ts'
import { split } from './primitives/split.ts'

export interface Script {
  readonly program: Program
  readonly steps: readonly string[]
}

export const script = (program: Program): Script => ({ program, steps: [] })

/** Applies one rewrite; `words` is added to the story when given. */
export const step = (s: Script, words: string | null, f: (p: Program) => Program): Script => ({
  program: f(s.program),
  steps: words === null ? s.steps : [...s.steps, words],
})

/** A level of a loop's decomposition: the loop's new name and its extent (the outermost level takes what is left). */
export interface LoopLevel {
  readonly name: string
  readonly extent: number
  readonly bind?: Binding
}

/**
 * Splits `name` into an outer loop and `levels` below it, outermost first; levels of extent 1 are left out. Only the
 * outermost split needs a guard (or, with `divides`, the caller's word). Returns the names that exist afterwards.
 */
export function splitLevels(
  p: Program,
  name: string,
  outer: string,
  levels: readonly LoopLevel[],
  tail: 'guard' | 'divides' = 'guard',
): { readonly program: Program; readonly names: readonly string[] } {
  const odd = levels.find((l) => !Number.isInteger(l.extent) || l.extent < 1)
  if (odd) throw new InternalError('schedule/script', `a point says ${odd.extent} iterations for '${odd.name}'`)
  const kept = levels.filter((l) => l.extent > 1)
  const total = kept.reduce((n, l) => n * l.extent, 1)
  const first = kept[0]
  if (!first) return { program: renamed(p, name, outer), names: [] }
  let program = split(p, {
    loop: name,
    factor: total,
    outer,
    inner: kept.length === 1 ? first.name : `${name}_in`,
    tail,
  })
  let rest = kept.length === 1 ? '' : `${name}_in`
  for (let i = 0, size = total; i < kept.length - 1; i++) {
    size /= kept[i]!.extent
    const inner = i === kept.length - 2 ? kept[i + 1]!.name : `${name}_in${i + 2}`
    program = split(program, { loop: rest, factor: size, outer: kept[i]!.name, inner, tail: 'exact' })
    rest = inner
  }
  return { program, names: kept.map((l) => l.name) }
}

/** A loop under another name: a split by 1 would leave a useless inner loop. */
function renamed(p: Program, name: string, as: string): Program {
  if (name === as) return p
  const once = split(p, { loop: name, factor: 1, outer: as, inner: `${as}_one` })
  return dropUnit(once, `${as}_one`)
}

/** Removes a loop of extent 1. */
function dropUnit(p: Program, name: string): Program {
  return loopsNamed(p, name).every((l) => constantExtent(l) === 1) ? inlineUnit(p, name) : p
}

const inlineUnit = (p: Program, name: string): Program =>
  replaceLoops(p, name, (l) => l.body.map((s) => substituteStmt(s, new Map([[name, int(literal(l.lower) ?? 0)]]))))

/** Binds those of `bindings` whose loops exist. */
export function bindAll(p: Program, bindings: readonly (readonly [string, Binding])[]): Program {
  return bindings.reduce((q, [name, to]) => (loopsNamed(q, name).length > 0 ? bind(q, { loop: name, to }) : q), p)
}
