// PTX as text again. In: instructions with their registers, labels and variables. Out: lines as the PTX ISA writes
// them. It is for people who follow what passes do: names are those of the flat body, where several may read alike, and
// what the compiler wrote around instructions (`.loc`, `.pragma`) is left out.
import type { Instruction, PtxOperand, Register, RegisterDecl } from './syntax.ts'

/** What is printed: a body, whose calls may be in place. */
export interface Printable {
  readonly registers: readonly RegisterDecl[]
  readonly instructions: readonly Instruction[]
  /** Instruction index by label. */
  readonly labels: ReadonlyMap<string, number>
}

/** A line per instruction, indented, with labels before it and what `noteOf` says of it behind. */
export function instructionLines(
  { registers, instructions, labels }: Printable,
  noteOf: (s: Instruction) => string,
): readonly string[] {
  const at = new Map<number, string[]>()
  for (const [name, place] of labels) at.set(place, [...(at.get(place) ?? []), name])
  const labelsAt = (i: number): readonly string[] => (at.get(i) ?? []).map((name) => `${name}:`)
  return [
    ...instructions.flatMap((s, i) => {
      const note = noteOf(s)
      return [...labelsAt(i), `  ${instructionText(s, registers)}${note === '' ? '' : ` // ${note}`}`]
    }),
    ...labelsAt(instructions.length),
  ]
}

function instructionText(s: Instruction, registers: readonly RegisterDecl[]): string {
  const text = (o: PtxOperand): string => operandText(o, registers)
  const guard = s.guard ? `@${text(s.guard)} ` : ''
  const [first, ...others] = s.operands.map(text)
  const results = s.second && first !== undefined ? `${first}|${text(s.second)}` : first
  const operands = results === undefined ? '' : ` ${[results, ...others].join(', ')}`
  return `${guard}${[s.opcode.name, ...s.opcode.mods].join('.')}${operands};`
}

const registerText = (r: Register, registers: readonly RegisterDecl[]): string =>
  `${r.negated ? '!' : ''}${registers[r.id]?.name ?? `%${r.id}`}`

function operandText(o: PtxOperand, registers: readonly RegisterDecl[]): string {
  const list = (items: readonly PtxOperand[]): string => items.map((x) => operandText(x, registers)).join(', ')
  switch (o.kind) {
    case 'register':
      return registerText(o, registers)
    case 'literal':
      return String(BigInt.asIntN(64, o.bits))
    case 'name':
      return o.name
    case 'address': {
      const parts = o.parts.map((p) => `, ${operandText(p, registers)}`).join('')
      return `[${placeText(o.base && operandText(o.base, registers), o.offset)}${parts}]`
    }
    case 'vector':
      return `{${list(o.items)}}`
    case 'tuple':
      return `(${list(o.items)})`
    case 'sink':
      return '_'
  }
}

/** A base with an offset; without one, an absolute address. */
function placeText(base: string | null, offset: number): string {
  if (base === null || offset === 0) return base ?? String(offset)
  return offset > 0 ? `${base}+${offset}` : `${base}${offset}`
}
