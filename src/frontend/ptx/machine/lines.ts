// In: a section of line programs (DWARF 2, as `.nv_debug_line_sass` and `.debug_line` are). Out: for each sequence,
// from which byte on code belongs to which line. The one idea: only addresses and lines are wanted, so all other
// registers of the machine that DWARF describes are stepped over.
import { dataViewOf } from './elf.ts'

export interface LineRow {
  readonly address: number
  readonly line: number
}

/** A run of rows about one section of code; `at` is where its address stands, which a relocation names. */
export interface LineSequence {
  readonly at: number
  readonly rows: readonly LineRow[]
}

export function lineSequences(bytes: Uint8Array): readonly LineSequence[] {
  const view = dataViewOf(bytes)
  const all: LineSequence[] = []
  for (let at = 0; at + 10 < bytes.length; ) {
    const end = Math.min(bytes.length, at + 4 + view.getUint32(at, true))
    all.push(...new Program(view, at, end).run())
    at = end
  }
  return all
}

class Program {
  private readonly view: DataView
  private readonly end: number
  private at: number
  private readonly unit: number
  private readonly lineBase: number
  private readonly lineRange: number
  /** The first opcode that moves both address and line. */
  private readonly special: number
  /** Arguments of each standard opcode. */
  private readonly lengths: readonly number[]
  private address = 0
  private line = 1
  private start = -1
  private rows: LineRow[] = []
  private readonly all: LineSequence[] = []

  constructor(view: DataView, at: number, end: number) {
    this.view = view
    this.end = end
    const from = at + 10
    this.at = from + view.getUint32(at + 6, true)
    const head = from + (view.getUint16(at + 4, true) >= 4 ? 1 : 0)
    this.unit = view.getUint8(from)
    this.lineBase = view.getInt8(head + 2)
    this.lineRange = view.getUint8(head + 3)
    this.special = view.getUint8(head + 4)
    this.lengths = Array.from({ length: Math.max(0, this.special - 1) }, (_, i) => view.getUint8(head + 5 + i))
  }

  run(): readonly LineSequence[] {
    while (this.at < this.end) this.step(this.view.getUint8(this.at++))
    return this.all
  }

  private unsigned(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const b = this.view.getUint8(this.at++)
      value += (b & 127) * 2 ** shift
      if (b < 128) return value
    }
  }

  private signed(): number {
    const from = this.at
    const value = this.unsigned()
    const bits = 7 * (this.at - from)
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value
  }

  private row(): void {
    this.rows.push({ address: this.address, line: this.line })
  }

  private step(op: number): void {
    if (op >= this.special) {
      const n = op - this.special
      this.address += this.unit * Math.floor(n / this.lineRange)
      this.line += this.lineBase + (n % this.lineRange)
      return this.row()
    }
    switch (op) {
      case 0:
        return this.extended()
      case 1:
        return this.row()
      case 2:
        this.address += this.unit * this.unsigned()
        return
      case 3:
        this.line += this.signed()
        return
      case 8:
        this.address += this.unit * Math.floor((255 - this.special) / this.lineRange)
        return
      case 9:
        this.address += this.view.getUint16(this.at, true)
        this.at += 2
        return
      default:
        for (let i = 0; i < (this.lengths[op - 1] ?? 0); i++) this.unsigned()
    }
  }

  private extended(): void {
    const length = this.unsigned()
    const next = this.at + length
    const op = this.view.getUint8(this.at)
    if (op === 1) {
      if (this.start >= 0) this.all.push({ at: this.start, rows: this.rows })
      this.rows = []
      this.address = 0
      this.line = 1
      this.start = -1
    } else if (op === 2) {
      this.start = this.at + 1
      this.address = Number(this.view.getBigUint64(this.at + 1, true))
    }
    this.at = next
  }
}
