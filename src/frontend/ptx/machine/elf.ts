// In: the bytes of a cubin, as `ptxas -o` writes it. Out: its sections and symbols. The one idea: a cubin is a plain
// 64-bit little-endian ELF file; each kernel has a section `.text.NAME`, and relocations say which one a table is
// about.
import { fail } from '../../../base/index.ts'

export interface Section {
  readonly name: string
  readonly bytes: Uint8Array
  readonly link: number
  readonly info: number
}

export interface Relocation {
  /** Byte of the section that it changes. */ readonly at: number /** Index of the section that its symbol lies in. */
  readonly section: number
  readonly symbol: string
}

export interface Elf {
  /** The second byte of the flags: 90 for sm_90. */
  readonly architecture: number
  readonly sections: readonly Section[]
  named(name: string): Section | undefined
  /** Relocations of a section, by its name. */
  relocations(name: string): readonly Relocation[]
}

/** `SHT_NOBITS` of ELF: a section without contents in the file. */
const noBits = 8

const broken = (what: string): never => fail('ptx.cubin', `the cubin cannot be read: ${what}`)

/** Reads an ELF file. Throws `ptx.cubin`. */
export function readElf(bytes: Uint8Array): Elf {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 64 || view.getUint32(0, false) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1)
    return broken('it is no 64-bit little-endian ELF file')
  const [table, size, count, names] = [
    Number(view.getBigUint64(0x28, true)),
    view.getUint16(0x3a, true),
    view.getUint16(0x3c, true),
    view.getUint16(0x3e, true),
  ]
  if (table + size * count > bytes.length || names >= count || size < 64)
    return broken('its table of sections lies outside')
  const header = (i: number): DataView => new DataView(bytes.buffer, bytes.byteOffset + table + size * i, 64)
  const contents = (h: DataView): Uint8Array => {
    const [from, length] = [
      Number(h.getBigUint64(24, true)),
      h.getUint32(4, true) === noBits ? 0 : Number(h.getBigUint64(32, true)),
    ]
    return from + length <= bytes.length ? bytes.subarray(from, from + length) : broken('a section lies outside')
  }
  const texts = contents(header(names))
  const sections = Array.from({ length: count }, (_, i): Section => {
    const h = header(i)
    return {
      name: textAt(texts, h.getUint32(0, true)),
      bytes: contents(h),
      link: h.getUint32(40, true),
      info: h.getUint32(44, true),
    }
  })
  const named = (name: string): Section | undefined => sections.find((s) => s.name === name)
  return {
    architecture: bytes[0x31]!,
    sections,
    named,
    relocations: (name) => [
      ...relocationsOf(sections, named(`.rela${name}`), 24),
      ...relocationsOf(sections, named(`.rel${name}`), 16),
    ],
  }
}

/** Text up to its 0. */
function textAt(bytes: Uint8Array, at: number): string {
  const end = bytes.indexOf(0, at)
  return new TextDecoder().decode(bytes.subarray(at, end < 0 ? bytes.length : end))
}

/** Entries of 16 bytes: place, kind and symbol; or 24, with an addend. Symbols have 24. */
function relocationsOf(sections: readonly Section[], table: Section | undefined, size: 16 | 24): readonly Relocation[] {
  const symbols = table && sections[table.link]
  if (!table || !symbols) return []
  const names = sections[symbols.link]?.bytes ?? new Uint8Array(0)
  const [entries, all] = [dataViewOf(table.bytes), dataViewOf(symbols.bytes)]
  return Array.from({ length: Math.floor(table.bytes.length / size) }, (_, i): Relocation => {
    const symbol = entries.getUint32(size * i + 12, true)
    if (24 * symbol + 24 > symbols.bytes.length) return broken('a relocation names no symbol')
    return {
      at: Number(entries.getBigUint64(size * i, true)),
      section: all.getUint16(24 * symbol + 6, true),
      symbol: textAt(names, all.getUint32(24 * symbol, true)),
    }
  })
}

export const dataViewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
