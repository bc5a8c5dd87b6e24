// In: launches that are independent of each other. Out: one launch that does the work of all of them (horizontal
// fusion). The one idea: their grids are concatenated. Each block first finds out from its index which launch it
// belongs to, and which block of that launch it is. Since a block runs only one of the kernels, all kernels use the
// same workgroup memory.
import {
  allStatements,
  ceilDiv,
  constOf,
  hollowKernel,
  int,
  KernelBuilder,
  literal,
  mapDefines,
  mapStep,
  mapUses,
  mul,
  op,
  plainKernel,
  sum,
  usesOf,
  type Address,
  type Builtin,
  type Expr,
  type Kernel,
  type Matrix,
  type Operand,
  type Param,
  type PlanLaunch,
  type Reg,
  type Resource,
  type Stmt,
  exprKey,
} from '../ir/index.ts'
import { atLeastNone, blocksInRow } from './lower/grid.ts'

/**
 * One launch for all of `launches`, whose blocks have the same number of threads and of which none writes what another
 * one uses.
 */
export function joinLaunches(launches: readonly PlanLaunch[], name: string): PlanLaunch {
  const joined = joinedAs(
      launches.map(({ matrices, ...l }) => ({ ...l, kernel: matrices ?? l.kernel })),
      name,
    ),
    kernel = plainKernel(joined.kernel)
  return { ...joined, kernel, ...(kernel !== joined.kernel && { matrices: joined.kernel }) }
}

function joinedAs(launches: readonly PlanLaunch[], name: string): PlanLaunch {
  const builder = new KernelBuilder({ name, block: launches[0]!.kernel.block }) // there are two at least
  const given = new Given(builder),
    memory = memoryOf(launches.map((l) => l.kernel)).map(
      (own) => new Map([...own].map(([r, shared]) => [r, given.shared(shared)])),
    )
  const row = builder.op('mul', [builder.builtin('blockIdx.y', 'block_row'), blocksInRow], { name: 'before' })
  const index = builder.op(
    'convert',
    [builder.op('add', [row, builder.builtin('blockIdx.x', 'block_in_row')], { name: 'block' })],
    { type: 'i32', name: 'block' },
  )
  const ends: Expr[] = []
  const branch = (n: number): void => {
    const launch = launches[n]
    if (!launch) return
    const first = ends.at(-1),
      end = sum(first ?? int(0), blocksOf(launch))
    ends.push(end)
    const inside = builder.op('lt', [index, given.param(`blocks_${n + 1}`, 'i32', end)], { name: 'own' })
    const own = (): void =>
      append(
        builder,
        given,
        launch,
        first ? builder.op('sub', [index, given.param(`blocks_${n}`, 'i32', first)], { name: 'own_block' }) : index,
        n,
        memory[n]!,
      )
    builder.ifThen(inside, own, () => branch(n + 1))
  }
  branch(0)
  const all = ends.at(-1)!
  return {
    kernel: builder.finish(),
    grid: [op('min', [all, int(blocksInRow)]), ceilDiv(all, blocksInRow), int(1)],
    arguments: given.arrays,
    params: given.values,
  }
}

/** Blocks of a launch; none when an axis has none. */
const blocksOf = ({ grid }: PlanLaunch): Expr => grid.map(atLeastNone).reduce(mul)

/** What comes with the launch: parameters with equal values and the same arrays are one. */
class Given {
  readonly values: Record<string, Expr> = {}
  readonly arrays: Record<string, string> = {}
  private readonly params = new Map<string, Param>()
  private readonly bound = new Map<string, Resource>()
  private readonly own = new Map<Resource, string>()
  private readonly taken = new Set<string>()

  constructor(private readonly builder: KernelBuilder) {}

  param(name: string, type: Param['type'], value: Expr): Param {
    const key = `${type} ${exprKey(value)}`,
      known = this.params.get(key)
    if (known) return known
    const made = this.builder.param(this.free(name), type)
    this.params.set(key, made)
    this.values[made.name] = value
    return made
  }

  /** The name that the resource has here. */
  resource(r: Resource, array: string | undefined): string {
    const known = array === undefined ? undefined : this.bound.get(array)
    if (known) return known.name
    const made = this.builder.resource({ ...r, name: this.free(r.name) })
    if (array !== undefined) {
      this.bound.set(array, made)
      this.arrays[made.name] = array
    }
    return made.name
  }

  /** The name of workgroup memory that several launches use. */
  shared(r: Resource): string {
    const known = this.own.get(r)
    if (known !== undefined) return known
    const name = this.free(r.name)
    this.builder.resource({ ...r, name })
    this.own.set(r, name)
    return name
  }

  private free(name: string): string {
    let free = name
    for (let n = 2; this.taken.has(free); n++) free = `${name}_${n}`
    this.taken.add(free)
    return free
  }
}

/**
 * For each kernel what stands for its workgroup memory: the largest of one with the largest of the others, the next
 * with the next, where they are read and written alike.
 */
function memoryOf(kernels: readonly Kernel[]): readonly ReadonlyMap<string, Resource>[] {
  const kinds = new Map<string, (readonly [kernel: number, own: Resource])[][]>()
  for (const [n, k] of kernels.entries()) {
    const placed = new Map<string, number>(),
      own = k.resources.filter((r) => r.space === 'shared').sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
    for (const r of own) {
      const kind = `${r.type} ${r.zeroed ? n : ''} ${lanesOf(k, r.name)}`,
        at = placed.get(kind) ?? 0,
        places = kinds.get(kind) ?? []
      placed.set(kind, at + 1)
      ;(places[at] ??= []).push([n, r])
      kinds.set(kind, places)
    }
  }
  const out = kernels.map(() => new Map<string, Resource>())
  for (const together of [...kinds.values()].flat()) {
    const largest = together.map(([, r]) => r).reduce((a, b) => ((b.count ?? 0) > (a.count ?? 0) ? b : a))
    for (const [n, r] of together) out[n]!.set(r.name, largest) // a position in `kernels`
  }
  return out
}

/** Lanes of the accesses of a resource, but for steps on matrices, which take it as it is. */
export const lanesOf = (k: Kernel, name: string): string =>
  [
    ...new Set(
      allStatements(hollowKernel(k).body).flatMap((s) =>
        s.kind === 'load' && s.address.resource === name
          ? [s.dst.length]
          : s.kind === 'store' && s.address.resource === name
            ? [s.src.length]
            : [],
      ),
    ),
  ]
    .sort()
    .join()

/**
 * What the launch does, by the block `index` of its own; `n`: its position; `memory`: names of its workgroup memory.
 */
function append(
  builder: KernelBuilder,
  given: Given,
  { kernel, grid, arguments: bound, params }: PlanLaunch,
  index: Reg,
  n: number,
  memory: ReadonlyMap<string, string>,
): void {
  const names = new Map(kernel.resources.map((r) => [r.name, memory.get(r.name) ?? given.resource(r, bound[r.name])]))
  // a launch has them all
  const values = new Map(kernel.params.map((p) => [p.name, given.param(p.name, p.type, params[p.name]!)]))
  const registers = kernel.registers.map((r) => builder.reg(r.type, r.name))
  const places = placesOf(
    builder,
    (axis) => given.param(`blocks_${n + 1}_${'xyz'[axis]}`, 'i32', atLeastNone(grid[axis])),
    grid,
    kernel.body,
    index,
  )
  const operand = (o: Operand): Operand =>
    o.kind === 'reg' ? registers[o.id]! : o.kind === 'param' ? values.get(o.name)! : o
  const placed = (a: Address): Address => ({ ...a, resource: names.get(a.resource)! }) // all are declared
  const matrix = (m: Matrix): Matrix => ({ ...m, name: `${m.name}_${n + 1}` })
  const unsigned = new Map<number, Operand>() // places that the kernel asked for, by their registers
  const renamed = (own: Stmt): readonly Stmt[] => {
    const place = own.kind === 'builtin' ? places.get(own.name) : undefined
    if (own.kind === 'builtin' && place) {
      unsigned.set(own.dst.id, place)
      return whole.has(own.dst.id) ? [{ kind: 'op', op: 'convert', dst: registers[own.dst.id]!, args: [place] }] : []
    }
    const s = mapDefines(
      mapUses(own, operand, (list) => list.flatMap(renamed)),
      (r) => registers[r.id]!,
    )
    if (s.kind === 'matrix') return [{ ...s, step: mapStep(s.step, matrix, placed) }]
    if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') return [{ ...s, address: placed(s.address) }]
    const at = signedOf(own),
      known = at && unsigned.get(at.id)
    return known && s.kind === 'op' ? [{ ...s, op: 'copy', args: [known] }] : [s]
  }
  const whole = new Set(
    allStatements(kernel.body).flatMap((s) =>
      signedOf(s) ? [] : usesOf(s).flatMap((o) => (o.kind === 'reg' ? [o.id] : [])),
    ),
  )
  for (const s of kernel.body) renamed(s).forEach((x) => builder.push(x))
}

/** The register that a statement makes an i32 of, and does nothing else. */
const signedOf = (s: Stmt): Reg | undefined =>
  s.kind === 'op' && s.op === 'convert' && s.dst.type === 'i32' && s.args[0]?.kind === 'reg' ? s.args[0] : undefined

type Axis = 0 | 1 | 2

/**
 * What `body` asks about blocks and the grid, as i32, for the block `index` of a grid of its own with `along(axis)`
 * blocks.
 */
function placesOf(
  builder: KernelBuilder,
  along: (axis: Axis) => Operand,
  grid: PlanLaunch['grid'],
  body: readonly Stmt[],
  index: Reg,
): ReadonlyMap<Builtin, Operand> {
  const flat = literal(grid[1]) === 1 && literal(grid[2]) === 1
  const row = (): Operand => builder.op('div', [index, along(0)], { name: 'row' })
  const of: Readonly<Partial<Record<Builtin, () => Operand>>> = {
    'gridDim.x': () => along(0),
    'gridDim.y': () => along(1),
    'gridDim.z': () => along(2),
    'blockIdx.x': () => (flat ? index : builder.op('rem', [index, along(0)], { name: 'block_x' })),
    'blockIdx.y': () => (flat ? constOf('i32', 0) : builder.op('rem', [row(), along(1)], { name: 'block_y' })),
    'blockIdx.z': () => (flat ? constOf('i32', 0) : builder.op('div', [row(), along(1)], { name: 'block_z' })),
  }
  const asked = new Set(allStatements(body).flatMap((s) => (s.kind === 'builtin' ? [s.name] : [])))
  return new Map(
    [...asked].flatMap((name) => {
      const make = of[name]
      return make ? [[name, make()] as const] : []
    }),
  )
}
