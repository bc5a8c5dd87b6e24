// In: a kernel. Out: the same, with values that only one arm of a branch uses computed in that arm, when very many of
// them would be held over a loop until then (the guards of the outputs of a tile). Some compilers do not do it
// themselves, and hold them in registers. Kernels in which few values are held stay as they are.
import {
  allStatements,
  definesOf,
  kernelIR,
  listsOf,
  pass,
  timesDefined,
  usesOf,
  type Kernel,
  type Operand,
  type PassContext,
  type Stmt,
} from '../../../ir/index.ts'

/** Values held over a loop that registers have room for. */
const mostHeld = 64

/** How many values may be held over a loop; `mostHeld` when absent. */
export interface RegisterRoom extends PassContext {
  readonly mostHeld?: number
}

// Before:
//
//   kernel p block 32 1 1
//   global y: f32[*] read-write
//   reg t.0: u32
//   reg k.1: i32
//   reg late.2: bool
//   reg value.3: f32
//   {
//     t.0 = builtin threadIdx.x
//     late.2 = lt t.0, u32:8
//     value.3 = convert t.0
//     k.1 = copy i32:0
//     loop {
//       store f32 y[t.0 * 4 + 0] = f32:0
//       break
//     }
//     if late.2 {
//       store f32 y[t.0 * 4 + 0] = value.3
//     }
//   }
//
// After:
//
//   kernel p block 32 1 1
//   global y: f32[*] read-write
//   reg t.0: u32
//   reg k.1: i32
//   reg late.2: bool
//   reg value.3: f32
//   {
//     t.0 = builtin threadIdx.x
//     late.2 = lt t.0, u32:8
//     k.1 = copy i32:0
//     loop {
//       store f32 y[t.0 * 4 + 0] = f32:0
//       break
//     }
//     if late.2 {
//       value.3 = convert t.0
//       store f32 y[t.0 * 4 + 0] = value.3
//     }
//   }
export const codeSinking = /* @__PURE__ */ pass<Kernel, RegisterRoom>({
  name: 'code-sinking',
  summary:
    'values that only one arm of a branch uses are computed in that arm, when too many would be held over a loop',
  of: kernelIR,
  run: late,
})

function late(kernel: Kernel, context: RegisterRoom): Kernel {
  const times = timesDefined(allStatements(kernel.body)),
    moves = new Moves((o) => o.kind !== 'reg' || times.get(o.id) === 1)
  const body = moves.list(kernel.body)
  return moves.held > (context.mostHeld ?? mostHeld) ? { ...kernel, body } : kernel
}

/** Where a register is used: in a statement itself, or in one arm of the `if` that it is. */
interface Place {
  readonly at: number
  readonly arm: 0 | 1 | undefined
}

const keyOf = ({ at, arm }: Place): number => 3 * at + (arm ?? 2)

class Moves {
  /** Values that no longer are held over a loop. */
  held = 0

  /** `fixed`: the operand never changes once it is there. */
  constructor(private readonly fixed: (o: Operand) => boolean) {}

  list(stmts: readonly Stmt[]): readonly Stmt[] {
    if (!stmts.some((s) => s.kind === 'if')) return stmts
    // of what may move: all else may be used where it likes
    const places = new Map<number, Map<number, Place>>()
    for (const s of stmts) if (s.kind === 'op' && this.fixed(s.dst)) places.set(s.dst.id, new Map())
    const use = (o: Operand, p: Place): void => {
      if (o.kind === 'reg') places.get(o.id)?.set(keyOf(p), p)
    }
    stmts.forEach((s, at) => {
      const own: Place = { at, arm: undefined }
      for (const o of usesOf(s)) use(o, own)
      listsOf(s).forEach((inner, n) => {
        const place: Place = { at, arm: s.kind === 'if' ? (n === 0 ? 0 : 1) : undefined }
        for (const x of allStatements(inner)) {
          for (const o of usesOf(x)) use(o, place)
          for (const o of definesOf(x)) use(o, place)
        }
      })
    })
    const lastLoop = stmts.findLastIndex((s) => s.kind === 'loop')
    const moved = new Map<number, readonly [Stmt[], Stmt[]]>(),
      gone = new Set<number>()
    for (let i = stmts.length - 1; i >= 0; i--) {
      const s = stmts[i]!,
        users = s.kind === 'op' ? places.get(s.dst.id) : undefined // i counts statements
      const [p] = users?.size === 1 ? users.values() : []
      if (s.kind !== 'op' || p?.arm === undefined || p.at < i || !this.fixed(s.dst) || !s.args.every(this.fixed))
        continue
      for (const o of s.args)
        if (o.kind === 'reg') {
          places.get(o.id)?.delete(keyOf({ at: i, arm: undefined }))
          use(o, p)
        }
      const into = moved.get(p.at) ?? [[], []]
      into[p.arm].unshift(s)
      moved.set(p.at, into)
      gone.add(i)
      if (i < lastLoop && lastLoop < p.at) this.held++
    }
    return stmts.flatMap((s, i): readonly Stmt[] => {
      const more = moved.get(i)
      if (gone.has(i)) return []
      return s.kind === 'if'
        ? [
            {
              ...s,
              then: this.list([...(more?.[0] ?? []), ...s.then]),
              else: this.list([...(more?.[1] ?? []), ...s.else]),
            },
          ]
        : [s]
    })
  }
}
