// split-reduction: one reduction becomes partial results and a reduction over them (split K, a sum across blocks).
//
//   declare s: f32[] temp private s = 0.0f
//   for g in 0 .. 8 { for k in 0 .. m { s += A[g, k] } }
//   y[0] = s * 2.0f
// → for g in 0 .. 8 { declare s: f32[] temp private s = 0.0f for k in 0 .. m { s += A[g, k] } partial[g] = s }
//   declare s: f32[] temp private s = 0.0f
//   for g in 0 .. 8 { s += partial[g] }
//   y[0] = s * 2.0f
//
// Side conditions: the operator is associative and commutative (every `ReduceOp` is, floats up to rounding); `g` is the
// outermost reduction loop, from 0 in steps of 1, and its extent does not depend on the parallel loops.
import { fail } from '../../base/index.ts'
import {
  literal,
  loopVar,
  read,
  registerType,
  type ArrayDecl,
  type Program,
  identityOf,
  nestProgram,
  type Nest,
  freshName,
  uses,
} from '../../ir/index.ts'

/**
 * The nest that makes the partial results, the nest that combines them, and the program with the temporary declared.
 */
export function splitReduction(
  program: Program,
  part: Nest,
): { readonly program: Program; readonly partial: Nest; readonly final: Nest } {
  const r = part.reduction ?? fail('schedule.split-reduction', 'there is no reduction')
  const [g, ...rest] = r.loops
  if (!g || rest.length === 0) return fail('schedule.split-reduction', 'the reduction has fewer than two loops')
  if (literal(g.lower) !== 0 || g.step !== 1)
    return fail('schedule.split-reduction', `'${g.name}' does not count from 0 in steps of 1`)
  if (part.parallel.some((l) => uses(g.upper, l.name) || literal(l.lower) !== 0 || l.step !== 1))
    return fail('schedule.split-reduction', 'the parallel loops do not all count from 0, or the split depends on them')
  const temp: ArrayDecl = {
    name: freshName(program, 'partial'),
    type: r.into.type,
    shape: [g, ...part.parallel].map((l) => l.upper),
    role: 'temp',
    space: 'global',
  }
  const at = [loopVar(g.name), ...part.parallel.map((l) => loopVar(l.name))]
  const type = registerType(r.into.type)
  const partial: Nest = {
    kind: 'nest',
    parallel: [g, ...part.parallel],
    guard: part.guard,
    reduction: { ...r, loops: rest, init: identityOf(r.op, type) },
    out: { array: temp, index: at, value: read(r.into, []) },
  }
  const final: Nest = { ...part, reduction: { ...r, loops: [g], guard: undefined, value: read(temp, at) } }
  return { program: { ...program, arrays: [...program.arrays, temp] }, partial, final }
}

/** Both nests as one program, for reading and for tests. */
export function splitReductionProgram(program: Program, part: Nest): Program {
  const split = splitReduction(program, part)
  const a = nestProgram(split.program, split.partial),
    b = nestProgram(split.program, split.final)
  return { ...split.program, body: [...a.body, ...b.body] }
}
