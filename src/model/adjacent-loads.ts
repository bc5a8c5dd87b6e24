// In: a kernel. Out: loads of shared memory that stand in one piece of straight code and read four words side by side.
// The one idea: addresses are sums of registers times constants, and a constant; where the sums are the same and the
// constants follow each other, a compiler makes one load of 16 bytes. A compiler that wrote a loop out finds them as
// well as an author who did.
import { bytesOf, listsOf, type Kernel, type Operand, type Reg, type Stmt } from '../ir/index.ts'

type Load = Extract<Stmt, { kind: 'load' }>

interface Linear {
  /** By register or parameter. */
  readonly factors: ReadonlyMap<number | string, number>
  readonly constant: number
}

/** Deeper sums are registers of their own. */
const deepest = 16

const wide = 16
const word = 4

/** Of `shared`, the resources that are asked. */
export function adjacentLoads(kernel: Kernel, shared: ReadonlySet<string>): ReadonlySet<Stmt> {
  const found = new Set<Stmt>()
  if (shared.size === 0) return found
  const made = singleDefinitions(kernel.body)
  const walk = (list: readonly Stmt[]): void => {
    let open: Load[] = []
    const close = (): void => {
      for (const s of quads(open, made)) found.add(s)
      open = []
    }
    for (const s of list) {
      if (s.kind === 'load' && shared.has(s.address.resource) && s.dst.length * bytesOf[s.type] === word) open.push(s)
      const ends = s.kind === 'barrier' || listsOf(s).length > 0
      if (ends || ((s.kind === 'store' || s.kind === 'atomic') && shared.has(s.address.resource))) close()
      for (const inner of listsOf(s)) walk(inner)
    }
    close()
  }
  walk(kernel.body)
  return found
}

function quads(loads: readonly Load[], made: ReadonlyMap<number, Stmt>): readonly Load[] {
  const byBase = new Map<string, { readonly load: Load; readonly at: number }[]>()
  for (const load of loads) {
    const { index, stride, resource, offset } = load.address
    const { factors, constant } = linear(index, made, 0)
    if ([...factors.values()].some((f) => (f * stride) % wide !== 0)) continue // not known to be aligned
    const base = [...factors].map(String).sort().join(' ')
    const key = `${resource} ${load.type} ${base}`
    byBase.set(key, [...(byBase.get(key) ?? []), { load, at: constant * stride + offset }])
  }
  return [...byBase.values()].flatMap((list) => {
    const places = new Set(list.map((l) => l.at))
    const whole = (at: number): boolean => {
      const first = Math.floor(at / wide) * wide
      return [0, 1, 2, 3].every((w) => places.has(first + w * word))
    }
    return list.filter((l) => whole(l.at)).map((l) => l.load)
  })
}

/** Operations whose result no other statement gives. */
function singleDefinitions(body: readonly Stmt[]): ReadonlyMap<number, Stmt> {
  const made = new Map<number, Stmt>(),
    again = new Set<number>()
  const define = (r: Reg, s: Stmt): void => {
    if (made.has(r.id)) again.add(r.id)
    made.set(r.id, s)
  }
  const walk = (list: readonly Stmt[]): void => {
    for (const s of list) {
      if ('dst' in s && s.dst) for (const r of Array.isArray(s.dst) ? s.dst : [s.dst as Reg]) define(r as Reg, s)
      for (const inner of listsOf(s)) walk(inner)
    }
  }
  walk(body)
  for (const id of again) made.delete(id)
  return made
}

const plain = (id: number | string): Linear => ({ factors: new Map([[id, 1]]), constant: 0 })

function linear(o: Operand, made: ReadonlyMap<number, Stmt>, depth: number): Linear {
  if (o.kind === 'const') return { factors: new Map(), constant: Number(o.value) }
  if (o.kind === 'param') return plain(o.name)
  const s = made.get(o.id)
  if (s?.kind !== 'op' || depth > deepest) return plain(o.id)
  const part = (i: number): Linear => linear(s.args[i]!, made, depth + 1) // operations have all their arguments
  const constant = (i: number): number => (s.args[i]?.kind === 'const' ? Number(s.args[i].value) : NaN)
  switch (s.op) {
    case 'copy':
    case 'bitcast':
      return part(0)
    case 'add':
      return sum(part(0), part(1), 1)
    case 'sub':
      return sum(part(0), part(1), -1)
    case 'mul':
      if (!Number.isNaN(constant(1))) return scaled(part(0), constant(1))
      return Number.isNaN(constant(0)) ? plain(o.id) : scaled(part(1), constant(0))
    case 'shl':
      return Number.isNaN(constant(1)) ? plain(o.id) : scaled(part(0), 2 ** constant(1))
    default:
      return plain(o.id)
  }
}

const scaled = ({ factors, constant }: Linear, by: number): Linear => ({
  factors: new Map([...factors].map(([id, f]) => [id, f * by])),
  constant: constant * by,
})

function sum(a: Linear, b: Linear, sign: 1 | -1): Linear {
  const factors = new Map(a.factors)
  for (const [id, f] of b.factors) factors.set(id, (factors.get(id) ?? 0) + sign * f)
  return { factors, constant: a.constant + sign * b.constant }
}
