// In: a packed string. Out: the texts in it. The one idea: texts of one operation are alike, so each word is predicted
// by what followed the same words before, and only how far that was right is written, as an arithmetic coder writes it
// (Witten, Neal and Cleary, CACM 30, 1987). `tools/pack.ts` runs the same model the other way round.

/** Packed texts. */
export interface Packed {
  /** Words that texts are made of, joined by `` ` ``. */
  readonly words: string
  /** How many words there are in all texts. */
  readonly count: number
  /** The coder's bytes in base 64. */
  readonly packed: string
  /** What the model has seen before; its words are not said again. */
  readonly after?: Packed
}

/** Lengths of contexts, longest first. */
const contexts = [16, 10, 6, 4, 3, 2, 1]
/** Right words after which a copy is a long one: no context is longer. */
const longest = 20,
  tableBits = 18

/** After so many wrong words a copy is given up for the place that predicts right. */
const patience = 2

/** So many right words make those before good again. */
const recovered = 2

/** Slots of bits: of copies, of contexts, of the bits of a word, and of any of these with a certain word (hashed). */
const contextSlots = 128,
  freshSlot = 159,
  wordSlots = 160,
  pairBits = 18
export const slotsOf = (bits: number): number => wordSlots + (1 << bits) + (1 << pairBits)

/**
 * Writes a bit and returns it, or ignores `bit` and returns one that it reads. Bits of one slot are alike; those of
 * `closer` more so, but rarer.
 */
export type Code = (bit: number, slot: number, closer: number) => number

/**
 * The words of all texts by number, of `bits` bits each; `given` holds the first of them, all where `code` writes. Of
 * the first `known`, bits are only learned.
 */
export function modelled(
  bits: number,
  count: number,
  chances: Chances,
  coder: Code,
  given: ArrayLike<number>,
  known: number,
): Uint16Array {
  const out = new Uint16Array(count),
    tables = contexts.map(() => new Int32Array(1 << tableBits).fill(-1))
  const close = (slot: number, word: number): number =>
    wordSlots + (1 << bits) + (Math.imul(Math.imul(word + 1, 0x9e3779b1) + slot, 0x85ebca6b) >>> (32 - pairBits))
  let copy = -1,
    run = 0,
    wrong = 0,
    fresh = 0,
    n = 0
  const code: Code = (bit, slot, closer) => {
    const was = n < known ? bit : coder(bit, slot, closer)
    chances.learn(was, slot)
    chances.learn(was, closer)
    return was
  }
  for (; n < count; n++) {
    const word = given[n] ?? 0,
      before = out[n - 1] ?? 0,
      tried: number[] = [],
      places: number[] = []
    let found = -1,
      better = -1
    if (copy >= 0) {
      const next = out[copy++]!,
        slot = 8 * Math.min(run, 15) + wrong // copy is before n
      if (code(+(next === word), slot, close(slot, next * 600 + before))) {
        found = next
        if (++run >= recovered) wrong = 0
      } else {
        tried.push(next)
        run = 0
        wrong = Math.min(wrong + 1, 7)
      }
      if (run > longest) {
        out[n] = found
        continue
      } // nothing is learned from long copies
    }
    for (let h = 0, k = 1; k <= longest; k++) {
      h = Math.imul(h + (out[n - k] ?? 0) + 1, 0x2f0b4c47)
      h ^= h >>> 15
      if (contexts.includes(k)) places.unshift(h >>> (32 - tableBits))
    }
    tables.forEach((table, i) => {
      const place = table[places[i]!]!,
        next = out[place] ?? 0,
        slot = contextSlots + 4 * i + Math.min(3, tried.length) // a hash of tableBits bits
      table[places[i]!] = n
      if (found >= 0 || place < 0 || tried.includes(next)) return
      if (code(+(next === word), slot, close(slot, next * 600 + before))) {
        found = next
        better = place + 1
      } else tried.push(next)
    })
    if (found < 0 && code(+(word === fresh), freshSlot, close(freshSlot, before))) found = fresh
    if (found < 0) {
      let node = 1
      for (let b = bits - 1; b >= 0; b--)
        node = 2 * node + code((word >> b) & 1, wordSlots + node, close(wordSlots + node, before))
      found = node - (1 << bits)
    }
    if (better >= 0 && (copy < 0 || wrong >= patience)) {
      copy = better
      run = wrong = 0
    }
    if (found === fresh) fresh++
    out[n] = found
  }
  return out
}

/** Bits of a word's number. */
export const bitsOf = (words: number): number => Math.ceil(Math.log2(Math.max(2, words)))

/**
 * How likely a 1 is in each slot, learned from the bits seen. Additions, multiplications and divisions give the same
 * numbers everywhere.
 */
export class Chances {
  private readonly chance: Float64Array
  private readonly seen: Uint8Array

  constructor(slots: number) {
    this.chance = new Float64Array(slots).fill(0.5)
    this.seen = new Uint8Array(slots)
  }

  of(slot: number, closer: number): number {
    const weight = 1.5 * this.seen[closer]!
    return Math.min(
      1 - 2 ** -16,
      Math.max(2 ** -16, (this.chance[slot]! + weight * this.chance[closer]!) / (1 + weight)),
    )
  }

  learn(bit: number, slot: number): void {
    this.chance[slot]! += (bit - this.chance[slot]!) / (this.seen[slot]! + 1.2)
    if (this.seen[slot]! < 12) this.seen[slot]!++
  }
}

/** The words that a packed string and those before it have, and all texts in numbers of them. */
export function unpacked({ words, count, packed, after }: Packed): {
  readonly list: readonly string[]
  readonly all: Uint16Array
} {
  const before = after && unpacked(after)
  const list = [...(before?.list ?? []), ...words.split('`')],
    given = before?.all ?? [],
    known = given.length
  const bytes = atob(packed),
    bits = bitsOf(list.length),
    chances = new Chances(slotsOf(bits))
  let next = 0,
    low = 0,
    high = 2 ** 32 - 1,
    value = 0
  const shift = (): void => {
    value = ((value << 8) | (bytes.charCodeAt(next++) || 0)) >>> 0
  }
  for (let i = 0; i < 4; i++) shift()
  const read: Code = (_, slot, closer) => {
    const middle = low + Math.floor((high - low) * chances.of(slot, closer)),
      bit = +(value <= middle)
    if (bit) high = middle
    else low = middle + 1
    for (; (low ^ high) >>> 24 === 0; shift()) {
      low = (low << 8) >>> 0
      high = ((high << 8) | 255) >>> 0
    }
    return bit
  }
  return { list, all: modelled(bits, known + count, chances, read, given, known) }
}

/** The texts. */
export function unpack(packed: Packed): readonly string[] {
  const { list, all } = unpacked(packed)
  return Array.from(all.slice(all.length - packed.count), (w) => list[w])
    .join('')
    .split('\0')
    .slice(0, -1)
    .map(named)
}

/**
 * Names that count, `index`, `index_2`, …, stand in packed texts by how far back they are, so that texts that only
 * count differently are the same: `index$` is the next one, `index#` the last, `index#2` the last but two.
 */
function named(text: string): string {
  const last = new Map<string, number>()
  return text.replace(/([A-Za-z_]+)([$#])(\d*)/g, (_, stem: string, sign: string, back: string) => {
    const now = (last.get(stem) ?? 1) + (sign === '$' ? 1 : 0)
    last.set(stem, now)
    return now - +back > 1 ? `${stem}_${now - +back}` : stem
  })
}
