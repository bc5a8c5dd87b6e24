// In: a kernel. Out: loads of shared memory that stand in one piece of straight code and read four words side by side.
// The one idea: addresses are sums of registers times constants, and a constant; where the sums are the same and the
// constants follow each other, a compiler makes one load of 16 bytes. A compiler that wrote a loop out finds them as
// well as an author who did.
import {
  addScaled,
  affineConstant,
  affineName,
  bytesOf,
  definedOnce,
  listsOf,
  type Affine,
  type Kernel,
  type Operand,
  type Stmt,
} from '../ir/index.ts'

type Load = Extract<Stmt, { kind: 'load' }>

/** Deeper sums are registers of their own. */
const deepest = 16

/** Bytes of the widest load of a GPU (ld.v4). */
const wide = 16
/** Bytes of the loads that are joined: one element of 32 bits each. */
const word = 4

/** Of `shared`, the resources that are asked. */
export function adjacentLoads(kernel: Kernel, shared: ReadonlySet<string>): ReadonlySet<Stmt> {
  const found = new Set<Stmt>()
  if (shared.size === 0) return found
  const made = definedOnce(kernel.body)
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
    const { terms, constant } = linear(index, made, 0)
    if ([...terms.values()].some((f) => (f * stride) % wide !== 0)) continue // not known to be aligned
    const base = [...terms].map(String).sort().join(' ')
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

/** Registers by number, parameters by name. */
const plain = (id: number | string): Affine => affineName(String(id))

const scaled = (a: Affine, by: number): Affine => addScaled(affineConstant(0), a, by)

function linear(o: Operand, made: ReadonlyMap<number, Stmt>, depth: number): Affine {
  if (o.kind === 'const') return affineConstant(Number(o.value))
  if (o.kind === 'param') return plain(o.name)
  const s = made.get(o.id)
  if (s?.kind !== 'op' || depth > deepest) return plain(o.id)
  const part = (i: number): Affine => linear(s.args[i]!, made, depth + 1) // operations have all their arguments
  const constant = (i: number): number => (s.args[i]?.kind === 'const' ? Number(s.args[i].value) : NaN)
  switch (s.op) {
    case 'copy':
    case 'bitcast':
      return part(0)
    case 'add':
      return addScaled(part(0), part(1), 1)
    case 'sub':
      return addScaled(part(0), part(1), -1)
    case 'mul':
      if (!Number.isNaN(constant(1))) return scaled(part(0), constant(1))
      return Number.isNaN(constant(0)) ? plain(o.id) : scaled(part(1), constant(0))
    case 'shl':
      return Number.isNaN(constant(1)) ? plain(o.id) : scaled(part(0), 2 ** constant(1))
    default:
      return plain(o.id)
  }
}
