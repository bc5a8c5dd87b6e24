// In: a program and a loop at its top that only reduces into variables, from several places or where data decide. Out:
// the loop with a term of its own for each iteration, and a loop behind it that reduces the terms. The one idea:
// iterations that share nothing but sums run apart; the sum of their terms is a reduction in canonical form.
import { knownDependences, loopFacts, type LoopFact } from '../../analysis/index.ts'
import {
  loop as loopOf,
  loopVar,
  read,
  registerType,
  store,
  type ArrayDecl,
  type Loop,
  type LoopStmt,
  type Program,
  type ReduceOp,
  identityOf,
  freshName,
  mapBody,
  someStmt,
  someExprIn,
} from '../../ir/index.ts'
import { isPlain } from './scalar-expansion.ts'

/** The program with the loop at `position` of its body so taken apart; `undefined` where it is no such loop. */
export function withOwnSums(program: Program, position: number): Program | undefined {
  const loop = program.body[position]
  if (loop?.kind !== 'loop' || !isPlain(loop)) return undefined
  const variables = new Map(
    [...program.arrays, ...program.body.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))].map((a) => [
      a.name,
      a,
    ]),
  )
  const sums = sumsOf(program, loop)?.map((s) => ({ ...s, array: variables.get(s.array) }))
  if (!sums || sums.length === 0) return undefined
  let made = program
  const body: LoopStmt[] = [],
    after: LoopStmt[] = []
  let inner: readonly LoopStmt[] = loop.body
  for (const { array, op } of sums) {
    if (!array || array.shape.length > 0 || registerType(array.type) !== array.type) return undefined
    const own: ArrayDecl = {
      name: freshName(made, `${array.name}_of`),
      type: array.type,
      shape: [loop.upper],
      role: 'temp',
      space: 'global',
    }
    const index = [loopVar(loop.name)]
    made = { ...made, arrays: [...made.arrays, own] }
    body.push({ ...store(own, index, identityOf(op, array.type)), ...(loop.at && { at: loop.at }) })
    inner = mapBody(inner, (s) =>
      s.kind === 'store' && s.array === array.name ? [{ ...s, array: own.name, index }] : undefined,
    )
    after.push({
      ...loopOf(loop.name, loop.upper, [store(array, [], read(own, index), op)], { lower: loop.lower }),
      ...(loop.at && { at: loop.at }),
    })
  }
  return {
    ...made,
    body: [
      ...program.body.slice(0, position),
      { ...loop, body: [...body, ...inner] },
      ...after,
      ...program.body.slice(position + 1),
    ],
  }
}

/** What the loop reduces into, when that is all that its iterations share. */
function sumsOf(
  program: Program,
  loop: Loop,
): readonly { readonly array: string; readonly op: ReduceOp }[] | undefined {
  const fact = factOf(program, loop)
  if (fact?.kind !== 'reduction') return undefined
  const sums = new Map<string, ReduceOp>()
  for (const r of fact.reductions) {
    if (r.op === 'argmin' || r.op === 'argmax' || (sums.get(r.array) ?? r.op) !== r.op) return undefined
    sums.set(r.array, r.op)
  }
  return onlyReduced(loop, sums) ? [...sums].map(([array, op]) => ({ array, op })) : undefined
}

function factOf(program: Program, loop: Loop): LoopFact | undefined {
  const known = knownDependences(program)
  return known && loopFacts(program, known).find((f) => f.loop === loop)
}

/** Nothing in the loop reads the variables, and all stores to them reduce. */
const onlyReduced = (loop: Loop, sums: ReadonlyMap<string, ReduceOp>): boolean =>
  !someStmt(loop.body, (s) => s.kind === 'store' && sums.has(s.array) && s.reduce !== sums.get(s.array)) &&
  !someExprIn(loop.body, (x) => x.kind === 'read' && sums.has(x.array))
