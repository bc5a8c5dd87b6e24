// In: PTX text and an entry's name. Out: a verified kernel, its parameters and the memory that a launch binds, or
// `DiagnosticError`s. The one idea: the way from an entry to a kernel is a route of declared passes (`ptxToKernel`).
// Block size and dynamic shared memory come from the launch, because PTX does not fix them. Declarations are marked as
// pure, so that a bundle of what reads no PTX holds none of it.
import { fail, InternalError } from '../../base/index.ts'
import {
  bytesOf,
  kernelIR,
  pass,
  route,
  runRoute,
  translation,
  verifyKernel,
  type Dim3,
  type Kernel,
  type MemoryType,
  type PassTrace,
  type Resource,
  type Verified,
} from '../../ir/index.ts'
import { memoryType } from './lower/access.ts'
import { costsOf } from './instruction-cost.ts'
import { graphOf } from './control-flow/flow-graph.ts'
import { flatPtx, placedPtx, ptxEntry, type FlatPtx, type PtxContext, type PtxEntry } from './flat-ptx.ts'
import { meetAsGrid } from './control-flow/grid-barriers.ts'
import { inlined, functionAddress, ptxSpan, type FlatBody } from './control-flow/inlining.ts'
import { joinAsAssembled, joinLoads } from './load-vectorization.ts'
import { lowerEntry } from './lower/lower.ts'
import { sharedWidths, type MachineFunction } from './machine/code.ts'
import { machineCosts } from './machine/rates.ts'
import { mapMemory, parameterPlaces, sizeOfVariable, type MemoryMap, type MemoryRegion } from './memory-map.ts'
import { parsePtxModule } from './text/module.ts'
import { means, writtenName } from './text/demangle.ts'
import { functionName } from './text/readable-names.ts'
import { bytesOfType, type PtxFunction, type Instruction, type PtxModule, type PtxType } from './text/syntax.ts'
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
  /** Who wants to know what passes do. */
  readonly trace?: PassTrace | undefined
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
  /** Constants of the module that have no value in it: a host copies one there. */
  readonly unset: readonly PtxVariable[]
}

/** A variable of the module in its table; `type` is that of its elements, bytes where it is a structure. */
export interface PtxVariable {
  /** As the source writes it. */
  readonly name: string
  readonly at: number
  readonly bytes: number
  readonly type: MemoryType
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
  return entriesOf(parsePtxModule(text, file)).map((f) => f.name)
}

const entriesOf = (module: PtxModule): PtxFunction[] => [...module.functions.values()].filter((f) => f.entry && f.body)

// Before:
//
//   .version 8.0
//   .target sm_90
//   .address_size 64
//   .func (.param .b32 out) twice(.param .b32 in)
//   {
//     .reg .f32 %f<3>;
//     ld.param.f32 %f1, [in];
//     add.f32 %f2, %f1, %f1;
//     st.param.f32 [out], %f2;
//     ret;
//   }
//   .visible .entry k(.param .u64 x)
//   {
//     .reg .b64 %rd<2>;
//     .reg .f32 %f<3>;
//     ld.param.u64 %rd1, [x];
//     ld.global.f32 %f1, [%rd1];
//     {
//     .param .b32 a;
//     .param .b32 b;
//     st.param.f32 [a], %f1;
//     call.uni (b), twice, (a);
//     ld.param.f32 %f2, [b];
//     }
//     st.global.f32 [%rd1], %f2;
//     ret;
//   }
//
// After:
//
//   .entry k
//   {
//     ld.param.u64 %rd1, [x];
//     ld.global.f32 %f1, [%rd1];
//     st.param.f32 [a], %f1;
//     ld.param.f32 %f1, [a];
//     add.f32 %f2, %f1, %f1;
//     st.param.f32 [b], %f2;
//     bra.uni after~1;
//   after~1:
//     ld.param.f32 %f2, [b];
//     st.global.f32 [%rd1], %f2;
//     ret;
//   }
const ptxInlining = /* @__PURE__ */ translation<PtxEntry, FlatPtx, PtxContext>({
  name: 'ptx-inlining',
  summary: 'calls are replaced by what they call, so that an entry is one flat body',
  from: ptxEntry,
  to: flatPtx,
  run: ({ module, entry }) => ({ module, entry, body: inlined(module, entry), memory: null }),
})

// Before:
//
//   .version 8.0
//   .target sm_90
//   .address_size 64
//   .visible .entry k()
//   {
//     .reg .b32 %r<6>;
//     .reg .b64 %rd<2>;
//     .reg .pred %p<2>;
//     mov.u32 %r1, %envreg2;
//     mov.u32 %r2, %envreg1;
//     mov.b64 %rd1, {%r1, %r2};
//     bar.sync 0;
//     atom.add.u32 %r3, [%rd1+4], 1;
//   wait:
//     ld.acquire.gpu.u32 %r4, [%rd1+4];
//     xor.b32 %r5, %r4, %r3;
//     setp.gt.s32 %p1, %r5, -1;
//     @%p1 bra wait;
//     bar.sync 0;
//     ret;
//   }
//
// After:
//
//   .entry k
//   {
//     mov.b32 %r1, 1;
//     mov.b32 %r2, 1;
//     mov.b64 %rd1, {%r1, %r2};
//     bar.sync 0;
//     mov.b32 %r3, 0;
//   wait:
//     mov.b32 %r4, 2147483648;
//     xor.b32 %r5, %r4, %r3;
//     setp.gt.s32 %p1, %r5, -1;
//     @%p1 bra wait;
//     bar.sync.grid 0;
//     ret;
//   }
const gridBarriers = /* @__PURE__ */ pass<FlatPtx, PtxContext>({
  name: 'grid-barriers',
  summary: 'what `grid.sync()` was compiled to, an atomic and a loop that waits, is a barrier of all blocks again',
  of: flatPtx,
  run: (flat) => withBody(flat, meetAsGrid(flat.module, flat.body)),
})

// Before:
//
//   .version 8.0
//   .target sm_90
//   .address_size 64
//   .visible .entry k(.param .u64 x, .param .u64 y)
//   {
//     .reg .b64 %rd<5>;
//     .reg .b32 %r<2>;
//     .reg .f32 %f<2>;
//     ld.param.u64 %rd1, [x];
//     ld.param.u64 %rd2, [y];
//     mov.u32 %r1, %tid.x;
//     mad.wide.u32 %rd3, %r1, 4, %rd1;
//     mad.wide.u32 %rd4, %r1, 4, %rd2;
//     ld.global.f32 %f1, [%rd3];
//     st.global.f32 [%rd4], %f1;
//     ret;
//   }
//
// After:
//
//   .entry k
//   {
//     ld.param.u64 %rd1, [x];
//     ld.param.u64 %rd2, [y];
//     mov.u32 %r1, %tid.x;
//     mad.wide.u32 %rd3, %r1, 4, %rd1;
//     mad.wide.u32 %rd4, %r1, 4, %rd2;
//     ld.global.f32 %f1, [%rd3]; // param_0
//     st.global.f32 [%rd4], %f1; // param_1
//     ret;
//   }
const pointerProvenance = /* @__PURE__ */ pass<FlatPtx, PtxContext>({
  name: 'pointer-provenance',
  summary: 'every address is followed to the parameters and variables that it may come from: each array is a resource',
  needs: ['dataflow over registers'],
  of: flatPtx,
  run: (flat, { shared }) => ({ ...flat, memory: mapMemory(flat.module, flat.entry, flat.body, shared) }),
})

// Before:
//
//   .version 8.0
//   .target sm_90
//   .address_size 64
//   .visible .entry k(.param .u64 y)
//   {
//     .shared .align 8 .b8 s[8];
//     .reg .b64 %rd<2>;
//     .reg .b32 %r<2>;
//     .reg .f32 %f<4>;
//     ld.param.u64 %rd1, [y];
//     mov.u32 %r1, s;
//     ld.shared.f32 %f1, [%r1];
//     ld.shared.f32 %f2, [%r1+4];
//     add.f32 %f3, %f1, %f2;
//     st.global.f32 [%rd1], %f3;
//     ret;
//   }
//
// After:
//
//   .entry k
//   {
//     ld.param.u64 %rd1, [y];
//     mov.u32 %r1, s;
//     ld.shared.v2.f32 {%f1, %f2}, [%r1]; // s
//     add.f32 %f3, %f1, %f2;
//     st.global.f32 [%rd1], %f3; // param_0
//     ret;
//   }
const loadVectorization = /* @__PURE__ */ pass<FlatPtx, PtxContext>({
  name: 'load-vectorization',
  summary: 'neighbouring accesses of shared memory are one wide access, as the assembler makes them',
  needs: ['alignment of addresses', 'machine code, where there is some'],
  of: placedPtx,
  run: (flat, { code, shared }) => {
    const { addressOf } = memoryOf(flat)
    const body = code ? joinAsAssembled(flat.body, sharedWidths(code), addressOf) : joinLoads(flat.body, addressOf)
    if (body === flat.body) return flat
    return { ...flat, body, memory: mapMemory(flat.module, flat.entry, body, shared) }
  },
})

// Before:
//
//   .version 8.0
//   .target sm_90
//   .address_size 64
//   .visible .entry k(.param .u64 x)
//   {
//     .reg .b64 %rd<2>;
//     .reg .b32 %r<3>;
//     .reg .pred %p<2>;
//     ld.param.u64 %rd1, [x];
//     mov.u32 %r1, %tid.x;
//     setp.ne.s32 %p1, %r1, 0;
//     @%p1 bra done;
//     st.global.u32 [%rd1], %r1;
//   done:
//     ret;
//   }
//
// After:
//
//   kernel k block 32 1 1
//   param arg_0: u64
//   global param_0: u32[*] write
//   reg t.0: u64
//   reg rd1.1: u64
//   reg t.2: u32
//   reg r1.3: u32
//   reg t.4: i32
//   reg t.5: bool
//   reg p1.6: bool
//   reg t.7: u32
//   {
//     free counts (int 2) t.7 = copy u32:0
//     free t.0 = copy $arg_0 @ "example.ptx":9:1
//     rd1.1 = copy t.0 @ "example.ptx":9:1
//     free t.2 = builtin threadIdx.x @ "example.ptx":10:1
//     r1.3 = copy t.2 @ "example.ptx":10:1
//     free t.4 = bitcast r1.3 @ "example.ptx":11:1
//     t.5 = ne t.4, i32:0 @ "example.ptx":11:1
//     free p1.6 = copy t.5 @ "example.ptx":11:1
//     free counts (control 1) if p1.6 {
//       free return @ "example.ptx":15:1
//     } @ "example.ptx":12:1
//     store u32 param_0[rd1.1 * 1 + -4096] = r1.3 @ "example.ptx":13:1
//     return @ "example.ptx":15:1
//   }
const ptxLowering = /* @__PURE__ */ translation<FlatPtx, PtxKernel, PtxContext>({
  name: 'ptx-lowering',
  summary:
    'blocks of the control-flow graph are written along the dominator tree as branches and loops, and each ' +
    'instruction becomes a few statements of which one is counted',
  needs: ['dominators', 'costs of instructions'],
  from: placedPtx,
  to: {
    name: 'KernelIR',
    print: ({ kernel }) => kernelIR.print(kernel),
    verify: ({ kernel }) => kernelIR.verify(kernel),
  },
  run: lowered,
})

/** From an entry of PTX to a kernel. */
export const ptxToKernel = /* @__PURE__ */ route<PtxEntry, PtxContext>(
  'ptx',
  'from an entry of a PTX module to a kernel',
)
  .to(ptxInlining, 'all that follows sees one body')
  .through(gridBarriers, 'the words that blocks meet at would be taken for memory of the kernel')
  .through(pointerProvenance, 'where variables lie says which accesses are aligned')
  .through(loadVectorization, 'accesses are counted as they are issued, and are joined before any is lowered')
  .to(ptxLowering)

/** An entry of a module as text, by name where there are several. */
export function ptxEntryOf(text: string, file: string, options: Pick<PtxOptions, 'entry' | 'files'> = {}): PtxEntry {
  const module = renamed(parsePtxModule(text, file), options.files ?? {})
  return { module, entry: chooseEntry(module, options.entry) }
}

/** Reads one entry. Throws `DiagnosticError` with codes `ptx.*`. */
export function parsePtx(text: string, file: string, options: PtxOptions = {}): PtxKernel {
  const given = ptxEntryOf(text, file, options),
    { module, entry } = given
  return runRoute(ptxToKernel, given, {
    block: blockOf(module, entry, options.block),
    shared: options.shared ?? 0,
    code: options.machine?.get(entry.name),
    textures: options,
    trace: options.trace,
  })
}

const withBody = (flat: FlatPtx, body: FlatBody): FlatPtx => (body === flat.body ? flat : { ...flat, body })

/** `pointer-provenance` has run. */
function memoryOf({ memory }: FlatPtx): MemoryMap {
  if (!memory) throw new InternalError('frontend/ptx', 'provenance of pointers is not known yet')
  return memory
}

function lowered(flat: FlatPtx, { block, code, textures }: PtxContext): PtxKernel {
  const { module, entry, body } = flat
  const memory = memoryOf(flat)
  const graph = graphOf(module, body)
  const made = lowerEntry(
    module,
    entry,
    body,
    memory,
    graph,
    code ? machineCosts(body, graph, code) : costsOf(body, graph),
    { ...textures, threads: block[0] * block[1] * block[2] },
  )
  const used = usage(body, memory)
  const scalars = [...made.slots.values()].map(
    (s): PtxScalar => ({ param: s.param.name, index: s.index, offset: s.offset, type: memoryType(s.type) }),
  )
  const raw: Kernel = {
    name: identifier(functionName(entry.name)),
    block,
    registers: made.registers,
    body: made.body,
    params: [...[...made.slots.values()].map((s) => s.param), ...made.textures.params()],
    resources: [
      ...memory.regions.map((r) => resourceOf(r, used)),
      ...made.textures.resources(),
      ...made.extras.map((name): Resource => ({ name, space: 'shared', type: 'u32', count: 1, access: 'read-write' })),
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
    textures: made.textures.used(),
    flat: memory.regions.filter((r) => r.flat).map((r) => r.name),
    notes: [
      ...body.notes,
      ...made.notes,
      ...(memory.regions.some((r) => r.flat)
        ? [
            `pointers that are read from memory may lead anywhere: all buffers are one memory, in which ` +
              `addresses count from ${memory.regions.find((r) => r.flat)!.base}`,
          ]
        : []),
    ],
  }
}

const renamed = (m: PtxModule, files: Readonly<Record<string, string>>): PtxModule => ({
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
function doesNothing(module: PtxModule, { body }: PtxFunction): boolean {
  const text = body ? module.text.slice(body.from, body.to) : ''
  return (
    text
      .replace(/^\s*(\.loc\b.*|\/\/.*|\$?\w+:)$/gm, '')
      .replace(/[{}]/g, '')
      .trim() === 'ret;'
  )
}

function chooseEntry(module: PtxModule, name: string | undefined): PtxFunction {
  const all = entriesOf(module)
  const at = ptxSpan(module, 1)
  const list = (from: readonly PtxFunction[]): string =>
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

function blockOf(module: PtxModule, entry: PtxFunction, block: Dim3 | undefined): Dim3 {
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
function see(u: Usage, s: Instruction, k: number, region: MemoryRegion): void {
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

const accessOf = (r: MemoryRegion, u: Usage): Resource['access'] =>
  r.space === 'const' ? 'read' : !u.written.has(r.name) ? 'read' : u.read.has(r.name) ? 'read-write' : 'write'

function elementOf(r: MemoryRegion, u: Usage): MemoryType {
  const counts = [...(u.types.get(r.name) ?? [])].sort((a, b) => b[1] - a[1])
  return counts[0] ? memoryType(counts[0][0]) : 'u32'
}

function resourceOf(r: MemoryRegion, u: Usage): Resource {
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
function tableOf(module: PtxModule, memory: MemoryMap, r: MemoryRegion): PtxTable {
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
    unset: r.space === 'const' ? module.variables.flatMap((v) => unsetIn(r, v)) : [],
  }
}

/** The variable, where it lies in the region and the module gives it no value. */
function unsetIn({ places }: MemoryRegion, v: PtxModule['variables'][number]): readonly PtxVariable[] {
  const at = places.get(v.name)
  if (at === undefined || v.initial || v.pointers.length > 0) return []
  return [{ name: functionName(v.name), at, bytes: sizeOfVariable(v), type: memoryType(v.type) }]
}
