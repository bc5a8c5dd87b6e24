// In: a kernel. Out: the same, with quotients, roots, exponentials and other functions of floats that a loop does not
// change computed before it, with what leads up to them: loop-invariant code motion. The one idea: such an operation
// takes as long as many others, and may be a function of its own in the target's text (a quotient that is rounded to
// nearest), which no driver's compiler moves. What is cheap stays: holding it would trade registers for little.
import {
  allStatements,
  definesOf,
  isFloat,
  kernelIR,
  mapUses,
  ops,
  pass,
  timesDefined,
  type Kernel,
  type Operand,
  type PassContext,
  type Stmt,
} from '../../../ir/index.ts'

/** Functions that one loop has computed before it at most: each takes a register over all of it. */
const mostHoisted = 16

// Before:
//
//   kernel p block 32 1 1
//   param h: i32
//   global y: f32[*] read-write
//   reg t.0: u32
//   reg place.1: f32
//   reg height.2: f32
//   reg part.3: f32
//   {
//     t.0 = builtin threadIdx.x
//     loop {
//       place.1 = convert t.0
//       height.2 = convert $h
//       part.3 = div place.1, height.2
//       store f32 y[t.0 * 4 + 0] = part.3
//       break
//     }
//   }
//
// After:
//
//   kernel p block 32 1 1
//   param h: i32
//   global y: f32[*] read-write
//   reg t.0: u32
//   reg place.1: f32
//   reg height.2: f32
//   reg part.3: f32
//   {
//     t.0 = builtin threadIdx.x
//     place.1 = convert t.0
//     height.2 = convert $h
//     part.3 = div place.1, height.2
//     loop {
//       store f32 y[t.0 * 4 + 0] = part.3
//       break
//     }
//   }
export const loopInvariantHoisting = /* @__PURE__ */ pass<Kernel, PassContext>({
  name: 'loop-invariant-hoisting',
  summary: 'quotients, roots and other functions of floats that a loop does not change are computed before it',
  of: kernelIR,
  run: (kernel) => {
    const hoists = new Hoists(kernel.body),
      body = hoists.list(kernel.body)
    return hoists.isChanged ? { ...kernel, body } : kernel
  },
})

type Op = Extract<Stmt, { kind: 'op' }>

class Hoists {
  isChanged = false
  private readonly times: ReadonlyMap<number, number>

  constructor(body: readonly Stmt[]) {
    this.times = timesDefined(allStatements(body))
  }

  /** Inner loops first: what moved before one may move before those around it, too. */
  list(stmts: readonly Stmt[]): readonly Stmt[] {
    return stmts.flatMap((s): readonly Stmt[] => {
      const made = mapUses(
        s,
        (o) => o,
        (inner) => this.list(inner),
      )
      if (made.kind !== 'loop') return [made]
      const moved = this.movedFrom(made)
      if (moved.size === 0) return [made]
      this.isChanged = true
      return [...moved, without(made, moved)]
    })
  }

  /** The functions that `loop` does not change and what only they need, in their order. */
  private movedFrom(loop: Stmt): ReadonlySet<Stmt> {
    const inside = allStatements([loop]),
      makers = new Map<number, Stmt>()
    for (const s of inside) for (const r of definesOf(s)) makers.set(r.id, s)
    const known = new Map<number, boolean>()
    /** Whether a value is there before the loop, or is made in it of such. */
    const isThere = (o: Operand): boolean => {
      if (o.kind !== 'reg') return true
      const maker = makers.get(o.id)
      if (!maker) return true
      const before = known.get(o.id) ?? (maker.kind === 'op' && this.canMove(maker) && maker.args.every(isThere))
      known.set(o.id, before)
      return before
    }
    const wanted = inside
      .filter((s): s is Op => s.kind === 'op' && isFunction(s) && isThere(s.dst))
      .slice(0, mostHoisted)
    const moved = new Set<Stmt>()
    const take = (s: Op): void => {
      for (const o of s.args) {
        const maker = o.kind === 'reg' ? makers.get(o.id) : undefined
        if (maker?.kind === 'op') take(maker)
      }
      moved.add(s)
    }
    wanted.forEach(take)
    return moved
  }

  /** Integers are divided where the source does it: by 0 it may be what a condition keeps away. */
  private canMove(s: Op): boolean {
    return this.times.get(s.dst.id) === 1 && (isFloat(s.dst.type) || (s.op !== 'div' && s.op !== 'rem'))
  }
}

const isFunction = ({ op, dst }: Op): boolean =>
  isFloat(dst.type) && (op === 'div' || op === 'rem' || ops[op].class === 'sfu')

const without = (s: Stmt, gone: ReadonlySet<Stmt>): Stmt =>
  mapUses(
    s,
    (o) => o,
    (inner) => inner.filter((x) => !gone.has(x)).map((x) => without(x, gone)),
  )
