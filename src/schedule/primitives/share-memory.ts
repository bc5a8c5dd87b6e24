// share-memory: copies in workgroup memory that are in use one after the other become one.
//
//   for b in 0 .. 4 {
//     for p in 0 .. 2 { declare s: f32[8] temp shared
//       for t in 0 .. 8 { s[t] = x[b, t] } for t in 0 .. 8 { y[b, t] = s[7 - t] } }
//     for p in 0 .. 2 { declare u: f32[6] temp shared
//       for t in 0 .. 6 { u[t] = x[b, t] } for t in 0 .. 6 { z[b, t] = u[5 - t] } } }
// → for b in 0 .. 4 { declare s: f32[8] temp shared
//     for p in 0 .. 2 { for t in 0 .. 8 { s[t] = x[b, t] } for t in 0 .. 8 { y[b, t] = s[7 - t] } }
//     for p in 0 .. 2 { for t in 0 .. 6 { s[t] = x[b, t] } for t in 0 .. 6 { z[b, t] = s[5 - t] } } }
//
// Side conditions: the arrays are declared inside of the loop, have one dimension and one type, no statement of its
// body uses two of them, and none uses one again after another was used.
import { applied, inapplicable, isInapplicable, type Inapplicable } from '../../base/index.ts'
import {
  int,
  literal,
  mapStmts,
  type ArrayDecl,
  type Declare,
  type LoopStmt,
  type Program,
  eachStmt,
  replaceLoops,
} from '../../ir/index.ts'
import { arraysOf } from '../../transform/index.ts'

export interface ShareMemory {
  /** The loop whose every iteration has the one array. */
  readonly at: string
  /** The arrays; the first gives its name. */
  readonly arrays: readonly string[]
}

/** Throws a `DiagnosticError` where a side condition does not hold. */
export const shareMemory = (program: Program, o: ShareMemory): Program => applied(sharedMemory(program, o))

/** As `shareMemory`, or which side condition does not hold. */
export function sharedMemory(program: Program, { at, arrays }: ShareMemory): Program | Inapplicable {
  const [name, ...others] = arrays
  if (name === undefined || others.length === 0) return program
  let why: Inapplicable | undefined
  const made = replaceLoops(program, at, (l) => {
    const body = inOneArray(l.body, name, arrays)
    if (!isInapplicable(body)) return [{ ...l, body }]
    why ??= body
    return [l]
  })
  return why ?? made
}

/** `body` with the arrays as one, which is called `name`. */
function inOneArray(
  body: readonly LoopStmt[],
  name: string,
  arrays: readonly string[],
): readonly LoopStmt[] | Inapplicable {
  const declared = declaresIn(body, new Set(arrays)),
    [first] = declared
  const lengths = declared.map((a) =>
    a.shape.length === 1 && a.type === first!.type && a.space === 'shared' ? literal(a.shape[0]!) : undefined,
  ) // one is first
  if (declared.length !== arrays.length || lengths.some((n) => n === undefined))
    return inapplicable('schedule.share-memory', `${arrays.join(', ')} are not rows of one type in workgroup memory`)
  if (!oneAfterTheOther(body, arrays))
    return inapplicable('schedule.share-memory', `${arrays.join(', ')} are in use at the same time`)
  const whole: Declare = {
      kind: 'declare',
      array: { ...first!, name, shape: [int(Math.max(...lengths.flatMap((n) => n ?? [])))] },
    },
    all = new Set(arrays)
  const rest = mapStmts(
    body,
    (e) => (e.kind === 'read' && all.has(e.array) ? { ...e, array: name } : e),
    (s) =>
      s.kind === 'declare' && all.has(s.array.name)
        ? []
        : [s.kind === 'store' && all.has(s.array) ? { ...s, array: name } : s],
  )
  return [whole, ...rest]
}

function declaresIn(body: readonly LoopStmt[], names: ReadonlySet<string>): readonly ArrayDecl[] {
  const out: ArrayDecl[] = []
  eachStmt(body, (s) => {
    if (s.kind === 'declare' && names.has(s.array.name)) out.push(s.array)
  })
  return out
}

/** Whether each statement uses one of the arrays at most, and those that use one stand together. */
function oneAfterTheOther(body: readonly LoopStmt[], arrays: readonly string[]): boolean {
  const used = body
    .filter((s) => s.kind !== 'declare')
    .map((s): readonly string[] => {
      const own = arraysOf(s)
      return arrays.filter((a) => own.has(a))
    })
  const order = used.flat().filter((a, i, all) => a !== all[i - 1])
  return used.every((u) => u.length <= 1) && new Set(order).size === order.length
}
