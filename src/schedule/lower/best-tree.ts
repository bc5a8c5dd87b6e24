// In: a thread loop `for t: if (mine[t] is better than best) { best = mine[t]; … }` over private scalars. Out: a tree
// reduction that finds the best candidate of all threads. The one idea: the condition of the loop compares any two
// candidates, so the tree evaluates it on pairs of registers.
import { type MemoryType, type Operand, type Reg, type Store, type Expr, type Loop, uses } from '../../ir/index.ts'
import { barrier, copy, emitStore, emitLoad, emitIf, type ThreadEmitter } from './thread-scan.ts'

/** Stores to private scalars of what each thread has, where a condition holds. */
export interface CarriedChoice {
  readonly condition: Expr
  readonly stores: readonly (Store & { readonly value: Extract<Expr, { kind: 'read' }> })[]
}

/** The choice that the loop carries, if it is one. */
export function carriedChoice(l: Loop): CarriedChoice | undefined {
  const s = l.body.length === 1 ? l.body[0] : undefined
  if (s?.kind !== 'if' || s.else.length > 0) return undefined
  const stores = s.then.flatMap((x) =>
    x.kind === 'store' && x.value.kind === 'read' && !x.reduce ? [{ ...x, value: x.value }] : [],
  )
  const own =
    stores.length === s.then.length &&
    stores.every(
      (x) => !x.index.some((e) => uses(e, l.name)) && x.value.index.some((e) => e.kind === 'var' && e.name === l.name),
    )
  return own ? { condition: s.condition, stores } : undefined
}

/** Threads that compare what they have. */
export interface ThreadGroup {
  readonly extent: number
  readonly stride: number
}

/** One of the values that go together. */
export interface ChoiceItem {
  readonly type: MemoryType
  readonly target: Reg
  readonly mine: Reg
}

/** `better(a, b)`: emits whether the values b are to replace a. Groups of `extent` threads that are `stride` apart. */
export function emitChoice(
  h: ThreadEmitter,
  items: readonly ChoiceItem[],
  { extent, stride }: ThreadGroup,
  better: (a: readonly Reg[], b: readonly Reg[]) => Operand,
): void {
  const targets = items.map((i) => i.target)
  const found = extent === 1 ? items.map((i) => i.mine) : bestOf(h, items, { extent, stride }, better)
  emitIf(h, better(targets, found), () => targets.forEach((t, n) => copy(h, t, found[n]!)))
}

function bestOf(
  h: ThreadEmitter,
  items: readonly ChoiceItem[],
  { extent, stride }: ThreadGroup,
  better: (a: readonly Reg[], b: readonly Reg[]) => Operand,
): readonly Reg[] {
  const buffers = items.map((i) => h.buffer(i.type, h.threads))
  const loaded = (index: Operand, element: number): readonly Reg[] =>
    items.map((i, n) => {
      const dst = h.reg(i.mine.type, 'x')
      emitLoad(h, buffers[n]!, i.type, index, dst, element)
      return dst
    })
  items.forEach((i, n) => emitStore(h, buffers[n]!, i.type, h.rank, i.mine))
  for (let d = extent / 2; d >= 1; d /= 2) {
    barrier(h)
    emitIf(h, h.pure('lt', [h.digit, { kind: 'const', type: 'i32', value: d }], 'bool', 'active'), () => {
      const a = loaded(h.rank, 0),
        b = loaded(h.rank, d * stride)
      emitIf(h, better(a, b), () => b.forEach((x, n) => emitStore(h, buffers[n]!, items[n]!.type, h.rank, x)))
    })
  }
  barrier(h)
  const int = (value: number): Operand => ({ kind: 'const', type: 'i32', value }),
    before = stride === 1 ? h.digit : h.pure('mul', [h.digit, int(stride)], 'i32', 'before')
  const found = loaded(extent === h.threads ? int(0) : h.pure('sub', [h.rank, before], 'i32', 'first'), 0)
  if (h.inLoop) barrier(h)
  return found
}
