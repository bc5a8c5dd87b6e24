// In: a cubin that `ptxas -lineinfo` made from PTX. Out: the machine code of each function: what every instruction is
// as far as counting needs it, and the line of the PTX that it comes from. The one idea: since Volta an instruction has
// 16 bytes, of which the low 12 bits are the opcode and the next 4 the predicate; the assembler itself writes down,
// beside the lines of the source, those of the PTX (`.nv_debug_line_sass`), which is where counts of blocks are known.
import { fail } from '../../../base/index.ts'
import type { InstructionClass } from '../../../ir/index.ts'
import { readElf, dataViewOf, type Elf } from './elf.ts'
import { lineSequences, type LineRow } from './lines.ts'

/**
 * What control does at an instruction: `apart` is the branch of a warp whose lanes have parted (BRA.DIV), `meet` waits
 * for the other lanes (BSYNC), `sync` for all lanes of the warp (WARPSYNC.ALL), `part` lets groups of lanes go on one
 * after the other (WARPSYNC.EXCLUSIVE), `back` returns, `exit` leaves the kernel.
 */
export type Flow = 'on' | 'branch' | 'apart' | 'table' | 'call' | 'back' | 'meet' | 'sync' | 'part' | 'exit'

export interface MachineInstruction {
  /** The low 12 bits. */
  readonly opcode: number
  readonly flow: Flow
  /** Whether a predicate decides, per lane or for the warp. */
  readonly guarded: boolean
  /** Byte to which a branch or call leads; −1 for none or elsewhere. */
  readonly target: number
  /** Bytes that an access of shared memory moves per lane; 0 for all else. */
  readonly sharedBytes: number
  readonly class: InstructionClass
  /** Line of the PTX, 0 when none is known. */
  readonly line: number
}

export interface MachineFunction {
  readonly name: string
  readonly instructions: readonly MachineInstruction[]
}

/** Volta and later: 128 bits for each instruction. */
export const instructionBytes = 16

const flows: Readonly<Record<number, Flow>> = {
  0x947: 'branch',
  0x547: 'branch',
  0x949: 'table',
  0x94a: 'branch',
  0x958: 'table',
  0x944: 'call',
  0x943: 'call',
  0x950: 'back',
  0x941: 'meet',
  0x948: 'sync',
  0x94d: 'exit',
  0x95b: 'exit',
}

/** The low 9 bits of opcodes by class; everything else is `int`. Memory: see `isAccess`. */
const classes = new Map<number, InstructionClass>([
  ...[
    0x021, 0x020, 0x023, 0x00a, 0x00b, 0x009, 0x008, 0x022, 0x02a, 0x030, 0x031, 0x032, 0x033, 0x034, 0x035, 0x03c,
    0x03e,
  ].map((n): [number, InstructionClass] => [n, 'fp32']),
  ...[0x028, 0x029, 0x02b, 0x03f].map((n): [number, InstructionClass] => [n, 'fp64']),
])

const memory: Readonly<Record<number, InstructionClass>> = {
  0x980: 'load',
  0x981: 'load',
  0x983: 'load',
  0x984: 'load',
  0x381: 'load',
  0x182: 'load',
  0x83b: 'load',
  0xfae: 'load',
  0xb60: 'load',
  0xb66: 'load',
  0x385: 'store',
  0x386: 'store',
  0x387: 'store',
  0x388: 'store',
  0x985: 'store',
  0x986: 'store',
  0x987: 'store',
  0x988: 'store',
  0x844: 'store',
  0x38a: 'atomic',
  0x38c: 'atomic',
  0x38d: 'atomic',
  0x3a8: 'atomic',
  0x3a9: 'atomic',
  0x98e: 'atomic',
  0x9a6: 'atomic',
  0x9a8: 'atomic',
  0x98c: 'atomic',
  0xb1d: 'barrier',
  0x31d: 'barrier',
  0x91d: 'barrier',
  0x51d: 'barrier',
  0x389: 'subgroup',
  0x589: 'subgroup',
  0x989: 'subgroup',
  0xf89: 'subgroup',
  0x806: 'subgroup',
  0x886: 'subgroup',
  0x3a1: 'subgroup',
  0x3c4: 'subgroup',
  0x348: 'control',
  0x948: 'control',
  0x947: 'control',
  0x547: 'control',
  0x949: 'control',
  0x94a: 'control',
  0x944: 'control',
  0x943: 'control',
  0x950: 'control',
  0x94d: 'control',
  0x945: 'control',
  0x941: 'control',
  0x942: 'control',
  0x918: 'control',
  0x946: 'control',
  0x95b: 'control',
  0x202: 'move',
  0x802: 'move',
  0xa02: 'move',
  0xc02: 'move',
  0x882: 'move',
  0xc82: 'move',
  0x919: 'move',
  0x9c3: 'move',
  0x805: 'move',
  0xb82: 'move',
  0xab9: 'move',
  0x308: 'sfu',
  0x108: 'sfu',
}

function classOfOpcode(opcode: number): InstructionClass {
  return (Object.hasOwn(memory, opcode) ? memory[opcode] : classes.get(opcode & 0x1ff)) ?? 'int'
}

/**
 * Functions of a cubin by name, without those that do not say where their branches lead or which lines they come from.
 * Throws `ptx.cubin`.
 */
export function readMachineCode(cubin: Uint8Array): ReadonlyMap<string, MachineFunction> {
  const elf = readElf(cubin)
  const rows = rowsBySection(elf)
  return new Map(
    elf.sections.flatMap((s, i): [string, MachineFunction][] => {
      const name = s.name.startsWith('.text.') ? s.name.slice('.text.'.length) : ''
      const lines = rows.get(i)
      if (name === '' || !lines) return []
      const instructions = decode(s.bytes, lines, elf.architecture >= 90)
      return instructions.every((x) => x.flow !== 'branch' || x.target >= 0) ? [[name, { name, instructions }]] : []
    }),
  )
}

function rowsBySection(elf: Elf): ReadonlyMap<number, readonly LineRow[]> {
  const name = '.nv_debug_line_sass'
  const table = elf.named(name)
  if (!table)
    return fail(
      'ptx.cubin',
      'the cubin does not say which PTX its instructions come from',
      undefined,
      'assemble with ptxas -lineinfo',
    )
  const about = new Map(elf.relocations(name).map((r) => [r.at, r.section]))
  return new Map(lineSequences(table.bytes).map((s) => [about.get(s.at) ?? -1, s.rows]))
}

function decode(bytes: Uint8Array, rows: readonly LineRow[], split: boolean): readonly MachineInstruction[] {
  const view = dataViewOf(bytes)
  let next = 0,
    line = 0
  return Array.from({ length: Math.floor(bytes.length / instructionBytes) }, (_, i): MachineInstruction => {
    const at = instructionBytes * i
    for (; next < rows.length && rows[next]!.address <= at; next++) line = rows[next]!.line
    const opcode = view.getUint16(at, true) & 0xfff
    const flow = flowOf(view, at, opcode)
    const target =
      flow === 'branch' || flow === 'apart' || flow === 'call' ? at + instructionBytes + distance(view, at, split) : -1
    return {
      opcode,
      flow,
      guarded: isGuarded(view, at, flow),
      target: target >= 0 && target < bytes.length ? target : -1,
      sharedBytes: shared.has(opcode) ? widths[(view.getUint16(at + 9, true) >> 1) & 7]! : 0,
      class: isNever(view, at) ? 'move' : classOfOpcode(opcode),
      line,
    } // eight widths
  })
}

const shared = new Set([0x984, 0x388, 0x988])
/** Bytes by bits 73 to 75 of a load or store. */
const widths = [1, 1, 2, 2, 4, 8, 16, 16] as const

/** BRA.U, whose predicate is the warp's. */
const uniformBranch = 0x547

/** A branch with bit 91 set is one that only warps with parted lanes take. */
function flowOf(view: DataView, at: number, opcode: number): Flow {
  const flow = Object.hasOwn(flows, opcode) ? flows[opcode]! : 'on'
  if (opcode === 0x348 && ((view.getUint16(at + 10, true) >> 2) & 0xff) === 0xe8) return 'part'
  return opcode === 0x947 && ((view.getUint8(at + 11) >> 3) & 1) === 1 ? 'apart' : flow
}

/** Predicate register and sign in bits 12 to 15, 7 for none; branches have a second one in bits 87 to 90. */
function isGuarded(view: DataView, at: number, flow: Flow): boolean {
  return (
    view.getUint8(at + 1) >> 4 !== 7 ||
    (flow === 'branch' &&
      (((view.getUint16(at + 10, true) >> 7) & 15) !== 7 || (view.getUint16(at, true) & 0xfff) === uniformBranch))
  )
}

/** `@!PT`: issued, and done by no lane. */
const isNever = (view: DataView, at: number): boolean => view.getUint8(at + 1) >> 4 === 15

/**
 * Bytes from the next instruction to a branch's target: bits 32 to 81, or since sm_90 (`split`) bits 16 to 23 and,
 * above them, 34 to 81, in words of 4 bytes.
 */
function distance(view: DataView, at: number, split: boolean): number {
  if (!split)
    return Number(
      BigInt.asIntN(50, (BigInt(view.getUint32(at + 8, true) & 0x3ffff) << 32n) | BigInt(view.getUint32(at + 4, true))),
    )
  const low = view.getUint8(at + 2)
  const middle = view.getUint32(at + 4, true) >>> 2
  const high = view.getUint32(at + 8, true) & 0x3ffff
  const words = BigInt.asIntN(56, (BigInt(high) << 38n) | (BigInt(middle) << 8n) | BigInt(low))
  return 4 * Number(words)
}

/** By line of the PTX: bytes per lane of the widest access of shared memory that comes from it. */
export function sharedWidths(code: MachineFunction): (line: number) => number {
  const widths = new Map<number, number>()
  for (const s of code.instructions)
    if (s.sharedBytes > 0) widths.set(s.line, Math.max(widths.get(s.line) ?? 0, s.sharedBytes))
  return (line) => widths.get(line) ?? 0
}
