// In: PTX text and an entry's name. Out: a verified kernel, its parameters and the memory that a launch binds, or
// `DiagnosticError`s. The one idea: parse, put calls in place, find out what pointers lead to, structure, lower; each a
// pass of its own. Block size and dynamic shared memory come from the launch, because PTX does not fix them.
import { fail } from '../../base/index.ts'
import {
  bytesOf,
  verifyKernel,
  type Dim3,
  type Kernel,
  type MemoryType,
  type Resource,
  type Verified,
} from '../../ir/index.ts'
import { memoryType } from './lower/access.ts'
import { costsOf } from './instruction-cost.ts'
import { graphOf } from './control-flow/flow-graph.ts'
import { meetAsGrid } from './control-flow/grid-barriers.ts'
import { flatten, functionAddress, ptxSpan, type FlatBody } from './control-flow/inlining.ts'
import { joinAsAssembled, joinLoads } from './load-vectorization.ts'
import { lower } from './lower/lower.ts'
import { sharedWidths, type MachineFunction } from './machine/code.ts'
import { machineCosts } from './machine/rates.ts'
import { mapMemory, parameterPlaces, sizeOfVariable, type MemoryMap, type Region } from './memory-map.ts'
import { parseModule } from './text/module.ts'
import { means, writtenName } from './text/demangle.ts'
import { functionName } from './text/readable-names.ts'
import { bytesOfType, type Func, type Instruction, type Module, type PtxType } from './text/syntax.ts'
import type { PtxTexture, TextureOptions } from './lower/textures.ts'

export interface PtxOptions extends TextureOptions {
  /**
   * Name of the entry: mangled, as the source writes it, or any part that only one has; may be absent when the module
   * has one.
   */
  readonly entry?: string
  /** Threads per block; `.reqntid` when absent, else 1. */
  readonly block?: Dim3
  /** Bytes of shared memory that the launch adds. */
  readonly shared?: number
  /**
   * Machine code that the assembler made of this very text, by function; instructions and branches then count as it has
   * them.
   */
  readonly machine?: ReadonlyMap<string, MachineFunction>
  /** Names to show for files that `.file` names. */
  readonly files?: Readonly<Record<string, string>>
}

/** One parameter of the entry. */
export interface PtxParam {
  readonly index: number
  readonly bytes: number
  /** Where it lies among the bytes of all parameters. */
  readonly place: number
  /** Its type, or null for a structure. */
  readonly type: MemoryType | null
}

/** A scalar that the kernel reads: the KernelIR parameter `param` is `type` at byte `offset` of parameter `index`. */
export interface PtxScalar {
  readonly param: string
  readonly index: number
  readonly offset: number
  readonly type: MemoryType
}

/**
 * A pointer that the kernel dereferences: the scalar at (`index`, `offset`) is an address in `resource`, which begins
 * at `base`.
 */
export interface PtxPointer {
  readonly index: number
  readonly offset: number
  readonly resource: string
  readonly base: number
  /** Element that most accesses have, for filling and printing. */
  readonly type: MemoryType
  readonly access: Resource['access']
}

/** A variable of the module, or several that pointers mix: memory that every launch binds with these contents. */
export interface PtxTable {
  readonly resource: string
  readonly bytes: ArrayBuffer
  readonly holdsParameters: boolean
  /** Address of byte 0, as pointers count it. */
  readonly base: number
  /** Byte at which each variable begins, by its name in the module. */
  readonly variables: Readonly<Record<string, number>>
}

export interface PtxKernel {
  readonly kernel: Verified<Kernel>
  readonly entry: string
  /** Whether the module fixes the threads of a block. */
  readonly blockFixed: boolean
  readonly params: readonly PtxParam[]
  readonly scalars: readonly PtxScalar[]
  readonly pointers: readonly PtxPointer[]
  readonly tables: readonly PtxTable[]
  readonly textures: readonly PtxTexture[]
  /** Resources that pointers read from memory lead to. */
  readonly flat: readonly string[]
  readonly notes: readonly string[]
}

/** Mangled names of a module's entries, in order. */
export function ptxEntries(text: string, file: string): readonly string[] {
  return entriesOf(parseModule(text, file)).map((f) => f.name)
}

const entriesOf = (module: Module): Func[] => [...module.functions.values()].filter((f) => f.entry && f.body)

/** Reads one entry. Throws `DiagnosticError` with codes `ptx.*`. */
export function parsePtx(text: string, file: string, options: PtxOptions = {}): PtxKernel {
  const module = renamed(parseModule(text, file), options.files ?? {})
  const entry = chooseEntry(module, options.entry)
  const block = blockOf(module, entry, options.block)
  const flat = meetAsGrid(module, flatten(module, entry))
  const apart = mapMemory(module, entry, flat, options.shared ?? 0)
  const code = options.machine?.get(entry.name)
  const body = code ? joinAsAssembled(flat, sharedWidths(code), apart.addressOf) : joinLoads(flat, apart.addressOf)
  const memory = body === flat ? apart : mapMemory(module, entry, body, options.shared ?? 0)
  const graph = graphOf(module, body)
  const lowered = lower(
    module,
    entry,
    body,
    memory,
    graph,
    code ? machineCosts(body, graph, code) : costsOf(body, graph),
    { ...options, threads: block[0] * block[1] * block[2] },
  )
  const used = usage(body, memory)
  const scalars = [...lowered.slots.values()].map(
    (s): PtxScalar => ({ param: s.param.name, index: s.index, offset: s.offset, type: memoryType(s.type) }),
  )
  const raw: Kernel = {
    name: identifier(functionName(entry.name)),
    block,
    registers: lowered.registers,
    body: lowered.body,
    params: [...[...lowered.slots.values()].map((s) => s.param), ...lowered.textures.params()],
    resources: [
      ...memory.regions.map((r) => resourceOf(r, used)),
      ...lowered.textures.resources(),
      ...lowered.extras.map(
        (name): Resource => ({ name, space: 'shared', type: 'u32', count: 1, access: 'read-write' }),
      ),
    ],
  }
  const kernel = verifyKernel(unclash(raw))
  return {
    kernel,
    entry: entry.name,
    blockFixed: entry.reqntid !== null,
    scalars,
    params: entry.params.map((p, index) => ({
      index,
      bytes: sizeOfVariable(p),
      place: parameterPlaces(entry)[index]!,
      type: p.count === 1 && p.type !== 'b8' ? memoryType(p.type) : null,
    })),
    pointers: memory.pointers
      .map((r) => pointerOf(r, memory, used))
      .sort((a, b) => a.index - b.index || a.offset - b.offset),
    tables: memory.regions
      .filter((r) => (r.space === 'global' || r.space === 'const') && (r.bytes !== null || r.held > 0))
      .map((r) => tableOf(module, memory, r)),
    textures: lowered.textures.used(),
    flat: memory.regions.filter((r) => r.flat).map((r) => r.name),
    notes: [
      ...body.notes,
      ...lowered.notes,
      ...(memory.regions.some((r) => r.flat)
        ? [
            `pointers that are read from memory may lead anywhere: all buffers are one memory, in which ` +
              `addresses count from ${memory.regions.find((r) => r.flat)!.base}`,
          ]
        : []),
    ],
  }
}

const renamed = (m: Module, files: Readonly<Record<string, string>>): Module => ({
  ...m,
  files: new Map([...m.files].map(([n, f]) => [n, Object.hasOwn(files, f) ? files[f]! : f])),
})

const identifier = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_')

/** Parameters and resources share one set of names. */
function unclash(k: Kernel): Kernel {
  const clash = k.params.find((p) => k.resources.some((r) => r.name === p.name))
  return clash
    ? fail(
        'ptx.name',
        `a variable of the module is called '${clash.name}', which is reserved here`,
        undefined,
        'rename it',
      )
    : k
}

/** A kernel that only returns, as libraries have one to ask for its attributes. */
function doesNothing(module: Module, { body }: Func): boolean {
  const text = body ? module.text.slice(body.from, body.to) : ''
  return (
    text
      .replace(/^\s*(\.loc\b.*|\/\/.*|\$?\w+:)$/gm, '')
      .replace(/[{}]/g, '')
      .trim() === 'ret;'
  )
}

function chooseEntry(module: Module, name: string | undefined): Func {
  const all = entriesOf(module)
  const at = ptxSpan(module, 1)
  const list = (from: readonly Func[]): string =>
    from
      .slice(0, 20)
      .map((f) =>
        functionName(f.name) === f.name ? f.name : `${writtenName(f.name) ?? functionName(f.name)} (${f.name})`,
      )
      .join(', ') + (from.length > 20 ? ', …' : '')
  if (all.length === 0)
    return fail(
      'ptx.entry',
      'the module has no .entry',
      at,
      'compile a file that holds a __global__ function; one that is a template must be used there, or ' +
        'instantiated as in template __global__ void k<float>(float *);',
    )
  const [only, ...others] = all.filter((f) => all.length === 1 || !doesNothing(module, f))
  if (name === undefined)
    return only && others.length === 0
      ? only
      : fail('ptx.entry', `the module has ${all.length} kernels: ${list(all)}`, at, 'choose one with --entry')
  const exact = all.filter((f) => f.name === name)
  const source = all.filter((f) => functionName(f.name) === name)
  const meant = all.filter((f) => means(name, f.name))
  const part = all.filter((f) => f.name.includes(name))
  const found = [exact, source, meant].find((l) => l.length > 0) ?? part
  if (found.length === 1) return found[0]!
  return found.length === 0
    ? fail('ptx.entry', `no kernel is called '${name.slice(0, 80)}'`, at, `there are ${list(all)}`)
    : fail(
        'ptx.entry',
        `'${name.slice(0, 80)}' may be ${found.length} kernels: ${list(found)}`,
        at,
        "give template arguments, as in 'k<float>', or a part of the name in parentheses that only one has",
      )
}

function blockOf(module: Module, entry: Func, block: Dim3 | undefined): Dim3 {
  const required = entry.reqntid
  if (!block) return required ?? [1, 1, 1]
  if (!block.every((n) => Number.isInteger(n) && n >= 1) || block[0] * block[1] * block[2] > 1024)
    fail('ptx.block', `a block of ${block.join('×')} threads is not between 1 and 1024`, ptxSpan(module, entry.line))
  if (required?.some((n, i) => n !== block[i]))
    fail(
      'ptx.block',
      `the kernel requires blocks of ${required.join('×')} threads, not ${block.join('×')}`,
      ptxSpan(module, entry.line),
    )
  const most = entry.maxntid
  if (most && block[0] * block[1] * block[2] > most[0] * most[1] * most[2])
    fail(
      'ptx.block',
      `the kernel was compiled for blocks of at most ${most[0] * most[1] * most[2]} threads, not ` +
        `${block[0] * block[1] * block[2]}`,
      ptxSpan(module, entry.line),
    )
  return block
}

interface Usage {
  readonly types: Map<string, Map<PtxType, number>>
  readonly read: Set<string>
  readonly written: Set<string>
}

/** How each region is accessed, and with which types. */
function usage(body: FlatBody, memory: MemoryMap): Usage {
  const u: Usage = { types: new Map(), read: new Set(), written: new Set() }
  for (const s of body.instructions)
    s.operands.forEach((o, k) => {
      for (const region of o.kind === 'address' ? memory.regionsOf(o) : []) see(u, s, k, region)
    })
  return u
}

/** Notes that operand `k` of an instruction is an address in a region. */
function see(u: Usage, s: Instruction, k: number, region: Region): void {
  const { name, mods } = s.opcode
  const t = mods[mods.length - 1] as PtxType // kept only when it is one
  const writes =
    name === 'st' ||
    name === 'stmatrix' ||
    (name === 'wmma' && mods[0] === 'store') ||
    name === 'atom' ||
    name === 'red' ||
    (name === 'cp' && k === 0)
  if (writes) u.written.add(region.name)
  if (!writes || name === 'atom' || name === 'red') u.read.add(region.name)
  const counts = u.types.get(region.name) ?? new Map<PtxType, number>()
  if (Object.hasOwn(bytesOfType, t) && t !== 'pred') counts.set(t, (counts.get(t) ?? 0) + 1)
  u.types.set(region.name, counts)
}

const accessOf = (r: Region, u: Usage): Resource['access'] =>
  r.space === 'const' ? 'read' : !u.written.has(r.name) ? 'read' : u.read.has(r.name) ? 'read-write' : 'write'

function elementOf(r: Region, u: Usage): MemoryType {
  const counts = [...(u.types.get(r.name) ?? [])].sort((a, b) => b[1] - a[1])
  return counts[0] ? memoryType(counts[0][0]) : 'u32'
}

function resourceOf(r: Region, u: Usage): Resource {
  const space = r.space === 'const' ? 'constant' : r.space
  const type = r.bytes === null ? elementOf(r, u) : r.bytes % bytesOf[elementOf(r, u)] === 0 ? elementOf(r, u) : 'u8'
  const own = r.space === 'shared' || r.space === 'local'
  return {
    name: r.name,
    space,
    type,
    count: r.bytes === null ? null : Math.max(1, r.bytes / bytesOf[type]),
    access: own ? 'read-write' : accessOf(r, u),
  }
}

function pointerOf(root: MemoryMap['pointers'][number], memory: MemoryMap, u: Usage): PtxPointer {
  const r = memory.regionOfRoot(root)!
  return {
    index: root.index,
    offset: root.offset,
    resource: r.name,
    base: r.base,
    type: elementOf(r, u),
    access: accessOf(r, u),
  }
}

/** Initial contents; pointers to other variables are their addresses. */
function tableOf(module: Module, memory: MemoryMap, r: Region): PtxTable {
  const bytes = new Uint8Array(r.bytes ?? r.held)
  const view = new DataView(bytes.buffer)
  for (const v of module.variables) {
    const at = r.places.get(v.name)
    if (at === undefined) continue
    if (v.initial) bytes.set(v.initial, at)
    for (const p of v.pointers) {
      const address = memory.addressOf(p.name) ?? functionAddress(module, p.name)
      if (address !== undefined) view.setBigUint64(at + p.at, BigInt(address) + BigInt(p.offset), true)
    }
  }
  const variables = Object.fromEntries(
    module.variables.flatMap((v) => {
      const at = r.places.get(v.name)
      return at === undefined ? [] : [[v.name, at]]
    }),
  )
  return {
    resource: r.name,
    bytes: bytes.buffer,
    holdsParameters: r.roots.some((x) => x.kind === 'parameters'),
    base: r.base,
    variables,
  }
}
