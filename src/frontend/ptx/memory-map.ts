// In: a flat body and its module. Out: which memory every access may touch, as KernelIR resources. The one idea: PTX
// pointers are numbers, so a dataflow over registers finds from which parameters and variables each address may come
// (its provenance); what only ever meets itself is a resource of its own, what mixes shares one. Addresses keep their
// values: a resource begins at `base`, and accesses subtract that.
import { fail } from '../../base/index.ts'
import { ptxSpan, type FlatBody } from './control-flow/inlining.ts'
import { shortName } from './text/readable-names.ts'
import { addressesOf, idsIn, rootKey, Provenance, spaceOfInstruction, type Root } from './provenance.ts'
import {
  bytesOfType,
  type AddressOperand,
  type PtxFunction,
  type Instruction,
  type PtxModule,
  type PtxSpace,
  type Variable,
} from './text/syntax.ts'

export type RootSpace = 'global' | 'const' | 'shared' | 'local'

/** One resource of the kernel: the roots that live in it. */
export interface MemoryRegion {
  readonly name: string
  readonly space: RootSpace
  readonly roots: readonly Root[]
  /** Address of byte 0 of the resource. */
  readonly base: number
  /** Bytes, or null for what is bound at launch. */
  readonly bytes: number | null
  /** Bytes at its beginning that variables and parameters take; what a launch binds comes behind. */
  readonly held: number
  /** Where each variable begins in the resource. */
  readonly places: ReadonlyMap<string, number>
  /** Whether pointers read from memory lead here. */
  readonly flat: boolean
}

export interface MemoryMap {
  readonly regions: readonly MemoryRegion[]
  /** Region that an address of an access leads to; undefined for parameters and what calls pass. */
  regionOf(a: AddressOperand): MemoryRegion | undefined
  /** All of them: several when the address may lie in several spaces, which its value tells (`windows`). */
  regionsOf(a: AddressOperand): readonly MemoryRegion[]
  /** Address of a variable, or undefined when nothing reaches it. */
  addressOf(name: string): number | undefined
  /** The region of a pointer parameter. */
  regionOfRoot(root: Root): MemoryRegion | undefined
  readonly pointers: readonly Extract<Root, { kind: 'parameter' }>[]
  /** Where the value of an address's base may come from. */
  rootsOf(a: AddressOperand): readonly Root[]
  /** The spaces that a pointer may lead to. */
  spacesOf(a: AddressOperand): readonly RootSpace[]
  /** Whether addresses of spaces lie apart. */
  readonly split: boolean
}

/**
 * Where the addresses of a space end, when some access needs to tell spaces apart: shared memory first, then local,
 * then the others.
 */
export const windows = { shared: 2 ** 24, local: 2 ** 25 } as const

const told = new Set(['ld', 'st', 'atom', 'red'])

/** Where a copy goes to and comes from: in this order in a bulk copy's name, else into shared memory. */
function copySpaces(s: Instruction): readonly RootSpace[] {
  const named = s.opcode.mods
    .map((m) => m.split('::')[0]!)
    .filter((m): m is RootSpace => m === 'shared' || m === 'global') // a part of a text
  return s.opcode.mods[1] === 'bulk' && named.length === 2 ? named : ['shared', 'global']
}

export function mapMemory(module: PtxModule, entry: PtxFunction, body: FlatBody, dynamicShared: number): MemoryMap {
  return new Mapper(module, entry, body, dynamicShared).run()
}

class Mapper {
  private readonly module: PtxModule
  private readonly entry: PtxFunction
  private readonly body: FlatBody
  private readonly dynamicShared: number
  private readonly from: Provenance

  constructor(module: PtxModule, entry: PtxFunction, body: FlatBody, dynamicShared: number) {
    this.module = module
    this.entry = entry
    this.body = body
    this.dynamicShared = dynamicShared
    this.from = new Provenance(module, entry, body)
  }

  private spaceOf(root: Root): RootSpace {
    if (root.kind === 'parameters') return 'const'
    if (root.kind !== 'variable') return 'global'
    const { space } = root.variable
    return space === 'param' ? 'local' : space
  }

  /** The roots that an access can reach, given the space it names. */
  private reach(s: Instruction, a: AddressOperand, space: PtxSpace | 'generic'): number[] {
    const all = idsIn(this.from.sourceOf(a))
    const fits =
      space === 'generic'
        ? all
        : all.filter((id) => this.spaceOf(this.from.roots[id]!) === (space === 'param' ? 'const' : space))
    if (fits.length > 0) return fits
    if (space === 'shared') return this.allOf('shared')
    if (space === 'local') return this.allOf('local')
    if (space === 'const') return this.allOf('const')
    return s.opcode.name === 'ld' && space === 'param' ? [] : [this.from.id({ kind: 'loaded' })]
  }

  private allOf(space: RootSpace): number[] {
    for (const v of this.from.variables.values()) if (v.space === space) this.from.id({ kind: 'variable', variable: v })
    return this.from.roots.flatMap((r, id) => (this.spaceOf(r) === space && r.kind === 'variable' ? [id] : []))
  }

  /** The resources of everything that accesses reach. */
  run(): MemoryMap {
    const union = new Union()
    const first = new Map<AddressOperand, readonly number[]>()
    for (const s of this.body.instructions) {
      const addresses = addressesOf(s)
      addresses.forEach((a, k) => {
        if (
          a.base?.kind === 'name' &&
          (this.body.cells.has(a.base.name) || (this.from.params.has(a.base.name) && spaceOfInstruction(s) === 'param'))
        )
          return
        const space = s.opcode.name === 'cp' ? copySpaces(s)[k]! : spaceOfInstruction(s)
        const ids = this.reach(s, a, space)
        if (ids.length === 0) return
        const groups = this.bySpace(s, ids)
        for (const g of groups) for (const id of g) union.join(g[0]!, id)
        first.set(
          a,
          groups.map((g) => g[0]!),
        ) // groups have members
      })
    }
    this.mergeLoaded(union, first)
    return this.regions(union, first)
  }

  /** What an address may reach, by space. Only loads, stores and atomics can tell spaces apart. */
  private bySpace(s: Instruction, ids: readonly number[]): readonly (readonly number[])[] {
    const groups = new Map<RootSpace, number[]>()
    for (const id of ids) {
      const space = this.spaceOf(this.from.roots[id]!)
      groups.set(space, [...(groups.get(space) ?? []), id])
    }
    const spaces = [...groups.keys()]
    const able =
      told.has(s.opcode.name) &&
      !spaces.includes('const') &&
      !(s.opcode.name !== 'ld' && s.opcode.name !== 'st' && spaces.includes('local'))
    if (spaces.length > 1 && !able)
      fail(
        'ptx.unsupported',
        `the address of this access may lie in ${spaces.join(' or in ')} memory, which cannot be told apart here`,
        ptxSpan(this.module, s.line),
      )
    return [...groups.values()]
  }

  /** A pointer that was read from memory may point into any buffer: all of them become one. */
  private mergeLoaded(union: Union, first: ReadonlyMap<AddressOperand, readonly number[]>): void {
    const loaded = this.from.rootIds.get('loaded')
    if (loaded === undefined || ![...first.values()].flat().some((id) => union.find(id) === union.find(loaded))) return
    for (const id of new Set([...first.values()].flat()))
      if (this.spaceOf(this.from.roots[id]!) === 'global') union.join(loaded, id)
    for (const roots of this.from.contents.values())
      for (const id of idsIn(roots)) if (this.spaceOf(this.from.roots[id]!) === 'global') union.join(loaded, id)
  }

  private regions(union: Union, first: ReadonlyMap<AddressOperand, readonly number[]>): MemoryMap {
    const split = [...first.values()].some((ids) => ids.length > 1)
    const used = new Set([...first.values()].flat().map((id) => union.find(id)))
    const groups = new Map<number, Root[]>()
    this.from.roots.forEach((r, id) => {
      const g = union.find(id)
      if (!used.has(g)) return
      const list = groups.get(g)
      if (list) list.push(r)
      else groups.set(g, [r])
    })
    const shared = this.sharedLayout()
    const byGroup = new Map<number, MemoryRegion>()
    const names = new Set<string>()
    let nextBase = split ? windows.local : 4096,
      nextLocal = windows.shared as number
    for (const [g, roots] of groups) {
      const space = this.spaceOf(roots[0]!)
      const apart = split && space === 'local'
      const region = this.region(space, roots, shared, apart ? nextLocal : nextBase, names)
      if (apart) nextLocal += 4096 * Math.ceil((region.bytes ?? 0) / 4096)
      else if (space !== 'shared') nextBase += 4096 + 4096 * Math.ceil((region.bytes ?? 0) / 4096)
      byGroup.set(g, region)
    }
    const byRoot = new Map<string, MemoryRegion>()
    this.from.roots.forEach((r, id) => {
      const region = byGroup.get(union.find(id))
      if (region) byRoot.set(rootKey(r), region)
    })
    const pointers = this.from.roots.filter(
      (r): r is Extract<Root, { kind: 'parameter' }> => r.kind === 'parameter' && byRoot.has(rootKey(r)),
    )
    if (nextLocal > windows.local)
      fail(
        'ptx.unsupported',
        `local memory of ${nextLocal - windows.shared} bytes that pointers mix with shared or global memory ` +
          `cannot be analysed`,
      )
    const byAddress = new Map([...first].map(([a, ids]) => [a, ids.map((id) => byGroup.get(union.find(id))!)]))
    return {
      regions: [...byGroup.values()],
      pointers,
      split,
      regionOf: (a) => byAddress.get(a)?.[0],
      regionsOf: (a) => byAddress.get(a) ?? [],
      rootsOf: (a) => idsIn(this.from.sourceOf(a)).map((id) => this.from.roots[id]!),
      spacesOf: (a) => [...new Set(idsIn(this.from.sourceOf(a)).map((id) => this.spaceOf(this.from.roots[id]!)))],
      addressOf: (name) => {
        const v = this.from.variables.get(name)
        const region = v
          ? byRoot.get(rootKey({ kind: 'variable', variable: v }))
          : this.from.params.has(name)
            ? byRoot.get('parameters')
            : undefined
        const place = region?.places.get(name)
        return region && place !== undefined ? region.base + place : undefined
      },
      regionOfRoot: (root) => byRoot.get(rootKey(root)),
    }
  }

  /** Offsets of shared variables as the assembler lays them out; arrays of unknown size share the end. */
  private sharedLayout(): { readonly places: Map<string, number>; readonly sizes: Map<string, number> } {
    const places = new Map<string, number>(),
      sizes = new Map<string, number>()
    const all = [...this.from.variables.values()].filter((v) => v.space === 'shared')
    let next = 0
    for (const v of all.filter((x) => x.count > 0)) {
      next = Math.ceil(next / v.align) * v.align
      places.set(v.name, next)
      sizes.set(v.name, v.count * bytesOfType[v.type])
      if (this.from.roots.some((r) => r.kind === 'variable' && r.variable.name === v.name))
        next += v.count * bytesOfType[v.type]
    }
    next = Math.ceil(next / 16) * 16
    for (const v of all.filter((x) => x.count === 0)) {
      places.set(v.name, next)
      sizes.set(v.name, this.dynamicShared)
    }
    return { places, sizes }
  }

  private region(
    space: RootSpace,
    roots: readonly Root[],
    shared: ReturnType<Mapper['sharedLayout']>,
    nextBase: number,
    names: Set<string>,
  ): MemoryRegion {
    const flat = roots.some((r) => r.kind === 'loaded')
    const variables = roots.flatMap((r) => (r.kind === 'variable' ? [r.variable] : []))
    const name = this.nameOf(space, roots, flat, names)
    const places = new Map<string, number>()
    if (space === 'shared') {
      const dynamic = variables.find((v) => v.count === 0)
      if (dynamic && this.dynamicShared === 0)
        fail(
          'ptx.shared',
          `the kernel uses shared memory whose size the launch gives ('${shortName(dynamic.name)}')`,
          ptxSpan(this.module, dynamic.line),
          'give its bytes with --shared BYTES, the third number of <<<grid, block, shared>>>',
        )
      const base = Math.min(...variables.map((v) => shared.places.get(v.name)!))
      let end = base + 1
      for (const v of variables) {
        const at = shared.places.get(v.name)!
        places.set(v.name, at - base)
        end = Math.max(end, at + shared.sizes.get(v.name)!)
      }
      return { name, space, roots, base, bytes: end - base, held: end - base, places, flat }
    }
    let next = 0
    if (roots.some((r) => r.kind === 'parameters'))
      for (const [i, at] of parameterPlaces(this.entry).entries()) {
        places.set(this.entry.params[i]!.name, at)
        next = at + sizeOfVariable(this.entry.params[i]!)
      }
    for (const v of variables) {
      next = Math.ceil(next / Math.max(16, v.align)) * Math.max(16, v.align)
      places.set(v.name, next)
      next += Math.max(1, v.count * bytesOfType[v.type])
    }
    const bound = space === 'global' && roots.some((r) => r.kind !== 'variable')
    return { name, space, roots, base: nextBase, bytes: bound ? null : Math.max(4, next), held: next, places, flat }
  }

  private nameOf(space: RootSpace, roots: readonly Root[], flat: boolean, names: Set<string>): string {
    const one = roots[0]!
    const only = roots.length === 1
    let name = 'memory'
    if (!flat && one.kind === 'parameters') name = 'parameters'
    else if (!flat && one.kind === 'parameter') {
      const isWholePointer = one.offset === 0 && bytesOfType[this.entry.params[one.index]!.type] >= 8
      const indices = roots.map((r) => (r.kind === 'parameter' ? r.index : 'x'))
      if (only) name = `param_${one.index}${isWholePointer ? '' : `_${one.offset}`}`
      else name = `params_${indices.join('_').slice(0, 40)}`
    } else if (!flat && one.kind === 'variable') name = only ? shortName(one.variable.name) : space
    const clean = (name === '' ? 'unnamed' : name)
      .replace(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(?=\d)/, '_')
      .slice(0, 60)
    let unique = clean
    for (let i = 2; names.has(unique); i++) unique = `${clean}_${i}`
    names.add(unique)
    return unique
  }
}

export const sizeOfVariable = (v: Variable): number => Math.max(1, v.count * bytesOfType[v.type])

/** Where each parameter of an entry lies among the parameters' bytes. */
export function parameterPlaces(entry: PtxFunction): number[] {
  let next = 0
  return entry.params.map((p) => {
    const at = Math.ceil(next / p.align) * p.align
    next = at + sizeOfVariable(p)
    return at
  })
}

class Union {
  private readonly up = new Map<number, number>()
  find(x: number): number {
    let at = x
    for (let next = this.up.get(at); next !== undefined; next = this.up.get(at)) at = next
    return at
  }
  join(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)]
    if (x !== y) this.up.set(Math.max(x, y), Math.min(x, y))
  }
}
