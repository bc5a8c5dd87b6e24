// In: a kernel. Out: the same, with values that only one arm of a branch uses computed in that arm, when very many of them would
// be held over a loop until then (the guards of the outputs of a tile). Some compilers do not do it themselves, and hold
// them in registers. Kernels in which few values are held stay as they are.
import { allStatements, definesOf, listsOf, usesOf, verifyKernel, type Kernel, type Operand, type Stmt, type Verified } from '../../ir/index.ts'

/** Values held over a loop that registers have room for. */
const mostHeld = 64

export function late(kernel: Verified<Kernel>): Verified<Kernel> {
  const times = new Map<number, number>()
  for (const s of allStatements(kernel.body)) for (const r of definesOf(s)) times.set(r.id, (times.get(r.id) ?? 0) + 1)
  const moves = new Moves((o) => o.kind !== 'reg' || times.get(o.id) === 1)
  const body = moves.list(kernel.body)
  return moves.held > mostHeld ? verifyKernel({ ...kernel, body }) : kernel
}

/** Where a register is used: in a statement itself, or in one arm of the `if` that it is. */
interface Place { readonly at: number; readonly arm: 0 | 1 | undefined }

class Moves {
  /** Values that no longer are held over a loop. */
  held = 0

  /** `fixed`: the operand never changes once it is there. */
  constructor(private readonly fixed: (o: Operand) => boolean) {}

  list(stmts: readonly Stmt[]): readonly Stmt[] {
    const places = new Map<number, Map<string, Place>>()
    const use = (o: Operand, p: Place): void => { if (o.kind === 'reg') places.set(o.id, (places.get(o.id) ?? new Map()).set(`${p.at} ${p.arm}`, p)) }
    stmts.forEach((s, at) => {
      for (const o of usesOf(s)) use(o, { at, arm: undefined })
      listsOf(s).forEach((inner, n) => allStatements(inner).flatMap((x) => [...usesOf(x), ...definesOf(x)]).forEach((o) => use(o, { at, arm: s.kind === 'if' ? (n === 0 ? 0 : 1) : undefined })))
    })
    const lastLoop = stmts.findLastIndex((s) => s.kind === 'loop')
    const moved = new Map<number, readonly [Stmt[], Stmt[]]>(), gone = new Set<number>()
    for (let i = stmts.length - 1; i >= 0; i--) {
      const s = stmts[i]!, only = s.kind === 'op' ? [...(places.get(s.dst.id)?.values() ?? [])] : [] // i counts statements
      const p = only.length === 1 ? only[0]! : undefined
      if (s.kind !== 'op' || p?.arm === undefined || p.at < i || !this.fixed(s.dst) || !s.args.every(this.fixed)) continue
      for (const o of s.args) if (o.kind === 'reg') { places.get(o.id)?.delete(`${i} undefined`); use(o, p) }
      const into = moved.get(p.at) ?? [[], []]
      into[p.arm].unshift(s)
      moved.set(p.at, into)
      gone.add(i)
      if (i < lastLoop && lastLoop < p.at) this.held++
    }
    return stmts.flatMap((s, i): readonly Stmt[] => {
      const more = moved.get(i)
      if (gone.has(i)) return []
      return s.kind === 'if' ? [{ ...s, then: this.list([...(more?.[0] ?? []), ...s.then]), else: this.list([...(more?.[1] ?? []), ...s.else]) }] : [s]
    })
  }
}
