// In: a packed string. Out: the texts in it. The one idea: texts of one operation are alike, so each word is predicted by what
// followed the same words before, and only how far that was right is written, as an arithmetic coder writes it (Witten, Neal
// and Cleary, CACM 30, 1987). `tools/pack.ts` runs the same model the other way round.

/** Packed texts. */
export interface Packed {
  /** Words that texts are made of, joined by `` ` ``. */
  readonly words: string
  /** How many words there are in all texts. */
  readonly count: number
  /** The coder's bytes in base 64. */
  readonly packed: string
}

/** Lengths of contexts, longest first. */
const contexts = [20, 11, 6, 4, 3, 2, 1]
const longest = 20, tableBits = 16

/** After so many wrong words a copy is given up for the place that predicts right. */
const patience = 3

/** Slots of a bit: for copies, for contexts, for the bits of a word, and for those after a certain word (hashed). */
const contextSlots = 128, wordSlots = 160, pairBits = 16
export const slotsOf = (bits: number): number => wordSlots + (1 << bits) + (1 << pairBits)

/** Writes a bit and returns it, or ignores `bit` and returns one that it reads. Bits of one slot are alike; `other` (when ≥ 0) is a second opinion. */
export type Code = (bit: number, slot: number, other: number) => number

/** The words of all texts by number, of `bits` bits each; `given` holds them where `code` writes. */
export function modelled(bits: number, count: number, code: Code, given?: ArrayLike<number>): Uint16Array {
  const out = new Uint16Array(count), tables = contexts.map(() => new Int32Array(1 << tableBits).fill(-1))
  let copy = -1, run = 0, wrong = 0
  for (let n = 0; n < count; n++) {
    const word = given?.[n] ?? 0
    let found = -1, better = -1
    if (copy >= 0) {
      const next = out[copy++]! // copy is before n
      if (code(+(next === word), 8 * Math.min(run, 15) + Math.min(wrong, 7), -1)) { found = next; run++ } else { run = 0; wrong++ }
      if (run > longest) { wrong = 0; out[n] = found; continue } // nothing is learned from long copies
    }
    const tried = copy >= 0 && found < 0 ? [out[copy - 1]!] : []
    for (let h = 0, k = 1, c = contexts.length - 1, at: number[] = []; c >= 0; k++) {
      h = Math.imul(h + (out[n - k] ?? 0) + 1, 0x2f0b4c47)
      h ^= h >>> 15
      if (contexts[c] !== k) continue
      at[c--] = h >>> (32 - tableBits)
      if (c >= 0) continue
      tables.forEach((table, i) => {
        const place = table[at[i]!]! // a hash of tableBits bits
        table[at[i]!] = n
        if (found >= 0 || place < 0 || tried.includes(out[place]!)) return
        if (code(+(out[place] === word), contextSlots + 4 * i + Math.min(3, tried.length), -1)) { found = out[place]!; better = place + 1 } else tried.push(out[place]!)
      })
    }
    if (found < 0) {
      const before = Math.imul((out[n - 1] ?? 0) + 1, 0x9e3779b1)
      let node = 1
      for (let b = bits - 1; b >= 0; b--) node = 2 * node + code((word >> b) & 1, wordSlots + node, wordSlots + (1 << bits) + (Math.imul(before + node, 0x85ebca6b) >>> (32 - pairBits)))
      found = node - (1 << bits)
    }
    if (better >= 0 && (copy < 0 || wrong >= patience)) { copy = better; run = wrong = 0 }
    out[n] = found
  }
  return out
}

/** Bits of a word's number. */
export const bitsOf = (words: number): number => Math.ceil(Math.log2(Math.max(2, words)))

/** How likely a 1 is in each slot, learned from the bits seen. Additions, multiplications and divisions give the same numbers everywhere. */
export class Chances {
  private readonly chance: Float64Array
  private readonly seen: Uint8Array

  constructor(slots: number) {
    this.chance = new Float64Array(slots).fill(0.5)
    this.seen = new Uint8Array(slots)
  }

  of(slot: number, other: number): number {
    const weight = other < 0 ? 0 : 2 * this.seen[other]!
    const chance = (this.chance[slot]! + (weight && weight * this.chance[other]!)) / (1 + weight)
    return Math.min(1 - 2 ** -16, Math.max(2 ** -16, chance))
  }

  learn(bit: number, slot: number): void {
    if (slot < 0) return
    this.chance[slot]! += (bit - this.chance[slot]!) / (this.seen[slot]! + 1.6)
    if (this.seen[slot]! < 60) this.seen[slot]!++
  }
}

/** The texts. */
export function unpack({ words, count, packed }: Packed): readonly string[] {
  const list = words.split('`'), bytes = atob(packed), bits = bitsOf(list.length), chances = new Chances(slotsOf(bits))
  let next = 0, low = 0, high = 2 ** 32 - 1, value = 0
  const shift = (): void => { value = ((value << 8) | (bytes.charCodeAt(next++) || 0)) >>> 0 }
  for (let i = 0; i < 4; i++) shift()
  const read: Code = (_, slot, other) => {
    const middle = low + Math.floor((high - low) * chances.of(slot, other)), bit = +(value <= middle)
    if (bit) high = middle
    else low = middle + 1
    for (; (low ^ high) >>> 24 === 0; shift()) { low = (low << 8) >>> 0; high = ((high << 8) | 255) >>> 0 }
    chances.learn(bit, slot)
    chances.learn(bit, other)
    return bit
  }
  return Array.from(modelled(bits, count, read), (w) => list[w]).join('').split('\0').slice(0, -1).map(named)
}

/**
 * Names that count, `index`, `index_2`, …, stand in packed texts by how far back they are, so that texts that only count
 * differently are the same: `index$` is the next one, `index#` the last, `index#2` the last but two.
 */
function named(text: string): string {
  const last = new Map<string, number>()
  return text.replace(/([A-Za-z_]+)([$#])(\d*)/g, (_, stem: string, sign: string, back: string) => {
    const now = (last.get(stem) ?? 1) + (sign === '$' ? 1 : 0)
    last.set(stem, now)
    return now - +back > 1 ? `${stem}_${now - +back}` : stem
  })
}
