// In: a loop with scalars that iterations of it, or of the loops in it, declare, whose bounds may use the variables of
// loops around. Out: the same with an element for each iteration. The one idea is scalar expansion (Allen and Kennedy,
// Optimizing Compilers, 5.3) into a box around the iterations: statements that share a scalar no longer share a loop,
// and each may get a time of its own. It asks whether the arrays fit.
import {
  affineOf,
  freshName,
  loopVar,
  mapBody,
  mapStmtExprs,
  read,
  registerType,
  replaceReads,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { elementsIn, extentOf, greatest, isAffordable } from './scalar-expansion.ts'

/** The program with the arrays, and the loop; `undefined` where a scalar has no such array, or there is none. */
export function withElementsEach(
  program: Program,
  loop: Loop,
): { readonly program: Program; readonly loop: Loop } | undefined {
  const e = new Expansion(program)
  const made = e.inLoop(loop, [])
  return made && e.arrays.length > 0
    ? { program: { ...program, arrays: [...program.arrays, ...e.arrays] }, loop: made }
    : undefined
}

/** A loop around, and the greatest value that its end has. */
interface Around {
  readonly name: string
  readonly end: Affine
}

class Expansion {
  readonly arrays: ArrayDecl[] = []

  constructor(private readonly program: Program) {}

  inLoop(l: Loop, around: readonly Around[]): Loop | undefined {
    const lower = affineOf(l.lower),
      upper = affineOf(l.upper),
      end = upper && l.step === 1 ? greatest(upper, around) : undefined
    // sizes are not negative: neither are sums of them with variables
    if (!end || !lower || [...lower.terms.values(), lower.constant].some((c) => c < 0)) return undefined
    const inside = [...around, { name: l.name, end }]
    let body: readonly LoopStmt[] = l.body
    for (const s of l.body) {
      if (s.kind !== 'declare') continue
      const array = this.arrayFor(s.array, inside)
      if (!array) return undefined
      body = onElements(
        body.filter((x) => x !== s),
        s.array,
        array,
        inside.map((x) => loopVar(x.name)),
      )
    }
    const made = body.map((s) => (s.kind === 'loop' ? this.inLoop(s, inside) : s))
    return made.every((s) => s !== undefined) ? { ...l, body: made } : undefined
  }

  private arrayFor(a: ArrayDecl, around: readonly Around[]): ArrayDecl | undefined {
    if (a.shape.length > 0 || registerType(a.type) !== a.type) return undefined
    const shape = around.map((x) => extentOf(this.program, x.end))
    if (!shape.every((e) => e !== undefined)) return undefined
    if (!isAffordable(this.program, elementsIn(this.program, shape))) return undefined
    const taken = { ...this.program, arrays: [...this.program.arrays, ...this.arrays] }
    const made: ArrayDecl = { ...a, name: freshName(taken, `${a.name}_each`), shape, role: 'temp', space: 'global' }
    this.arrays.push(made)
    return made
  }
}

/** `body` with an element of an array for a scalar. */
export function onElements(
  body: readonly LoopStmt[],
  from: ArrayDecl,
  to: ArrayDecl,
  index: readonly Expr[],
): readonly LoopStmt[] {
  return mapBody(
    body.map((s) => mapStmtExprs(s, (e) => replaceReads(e, from.name, read(to, index)))),
    (s) => (s.kind === 'store' && s.array === from.name ? [{ ...s, array: to.name, index }] : undefined),
  )
}
