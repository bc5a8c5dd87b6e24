// PTX as representations that passes rewrite: an entry as its module has it, and its flat body, in which calls are in
// place, with what is known of its pointers. What is no PTX is refused where it is read.
import type { Dim3, PassContext, Representation } from '../../ir/index.ts'
import type { FlatBody } from './control-flow/inlining.ts'
import type { TextureOptions } from './lower/textures.ts'
import type { MachineFunction } from './machine/code.ts'
import type { MemoryMap } from './memory-map.ts'
import { instructionLines } from './text/print.ts'
import type { PtxFunction, Instruction, PtxModule } from './text/syntax.ts'

export interface PtxEntry {
  readonly module: PtxModule
  readonly entry: PtxFunction
}

export interface FlatPtx extends PtxEntry {
  readonly body: FlatBody
  /** Which memory every access may touch; null before that is asked. */
  readonly memory: MemoryMap | null
}

/** What a launch says of the kernel that is read. */
export interface PtxContext extends PassContext {
  readonly block: Dim3
  /** Bytes of shared memory that the launch adds. */
  readonly shared: number
  /** Machine code that the assembler made of the entry. */
  readonly code: MachineFunction | undefined
  readonly textures: TextureOptions
}

export const ptxEntry: Representation<PtxEntry> = {
  name: 'PTX',
  print: ({ module, entry }) =>
    entry.body ? `.entry ${entry.name}\n{${module.text.slice(entry.body.from, entry.body.to)}}` : entry.name,
  verify: () => {},
}

/** The memory that an instruction may touch, once that is known. */
const noteOf =
  ({ memory }: FlatPtx) =>
  ({ operands }: Instruction): string =>
    operands
      .flatMap((o) => (memory && o.kind === 'address' ? memory.regionsOf(o) : []))
      .map((r) => r.name)
      .join(', ')

const flatText = (flat: FlatPtx): string =>
  [`.entry ${flat.entry.name}`, '{', ...instructionLines(flat.body, noteOf(flat)), '}'].join('\n')

const isSameFlat = (a: FlatPtx, b: FlatPtx): boolean => a.body === b.body && a.memory === b.memory

export const flatPtx: Representation<FlatPtx> = {
  name: 'flat PTX',
  print: flatText,
  verify: () => {},
  isSame: isSameFlat,
}

/** Flat PTX whose memory is known. */
export const placedPtx: Representation<FlatPtx> = {
  name: 'flat PTX',
  print: flatText,
  verify: () => {},
  isSame: isSameFlat,
}
