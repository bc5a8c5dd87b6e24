// In: a module's texts as they are packed. Out: each of them, when it is asked for. Two ideas. Some texts (roots) are
// written by themselves: each word is predicted by what followed the same words before, and only how far that was
// right is kept, as an arithmetic coder writes it (Witten, Neal and Cleary, CACM 30, 1987). All others are edits of an
// earlier text: what is copied of it, and words in between. So a launch costs the texts that its own is made from.
// `tools/pack.ts` runs the same model the other way round.

/** Packed texts. */
export interface Packed {
  /** Words that texts are made of, joined by `` ` ``. */
  readonly words: string
  /** How many words the roots have, each with one that ends it, and the coder's bytes in base 64. */
  readonly count: number
  readonly packed: string
  /** Bits of a word's number, where other modules build on this one: they have more words. */
  readonly bits?: number
  /**
   * Another module whose first roots the model has read before these, so that what is alike costs little: its words
   * come before `words`, and `before` are the words of these roots and of those that its base has read.
   */
  readonly base?: Packed
  readonly before?: number
  /**
   * A part for each text, joined by `|`, numbers in base 36. Of a root: which it is of those in `packed`. Else how far
   * back the text stands that is edited, and after blanks `words:copied` or `words:copied:skipped`: new words (joined
   * by commas), words that are skipped in the other text, and words that are copied from there.
   */
  readonly edits: string
}

/** Lengths of contexts, longest first. */
const contexts = [6, 4, 2, 1]
/** Right words after which a copy is a long one: no context is longer. */
const longest = 7
/** Words of a long copy that are right or not together. */
const chunk = 64

/** After so many wrong words a copy is given up for the place that predicts right. */
const patience = 2

/** So many right words make those before good again. */
const recovered = 2

/** Slots of bits: of copies, of contexts, of chunks, of new words, and of the bits of a word. */
const contextSlots = 128,
  chunkSlot = 158,
  freshSlot = 159,
  wordSlots = 160

/** Bits of tables at most: of places by their contexts, and of chances of a slot beside a certain word (hashed). */
const mostBits = 16

/** Bits of a word's number, and of a model's tables. */
export interface Width {
  readonly bits: number
  readonly size: number
}

/**
 * Widths for a module of so many words, of which its roots have `count`: tables that are filled less cost time, too.
 * Modules that others build on have the `bits` that all of them need, and all have one model.
 */
export const widthFor = (words: number, count: number, bits?: number): Width =>
  bits === undefined
    ? { bits: bitsOf(words), size: Math.max(8, Math.min(mostBits, 1 + bitsOf(count))) }
    : { bits, size: mostBits }

/** Writes a bit and returns it, or ignores `bit` and returns one that it reads; `chance` is how likely a 1 is. */
export type Coder = (bit: number, chance: number) => number

/** The words of texts one after the other, as far as they are asked for. */
export interface Model {
  /** Words by number; those before `known` are there. */
  readonly out: Uint16Array
  known: number
  /** The next word, or the last of several at once, of which none is `last`. */
  next(): number
}

/**
 * A model of `count` words of `bits` bits each, where `last` ends a root; `given` holds all of them where `coder`
 * writes. Its state is in the
 * function's variables: it runs for milliseconds, before any compiler has looked at it.
 *
 * A bit is as likely as it was in its slot and, more so but rarer, in its slot beside a certain word. Additions,
 * multiplications and divisions give the same numbers everywhere.
 */
export function modelOf(
  { bits, size }: Width,
  count: number,
  last: number,
  coder: Coder,
  given: ArrayLike<number>,
): Model {
  const out = new Uint16Array(count),
    depth = contexts.length,
    closest = wordSlots + (1 << bits)
  /** For each context, by a hash of its words, the place after where it stood last; 0: nowhere. */
  const tables = new Int32Array(depth << size)
  /** Of every slot, how much more likely than a half a 1 is, and how often it was seen (up to 12). */
  const chances = new Float64Array(closest + (1 << size)),
    seen = new Uint8Array(closest + (1 << size))
  const hashes = new Int32Array(depth),
    tried = new Int32Array(depth + 1)
  /**
   * The place that is copied from (−1: none), how long it was right, how often it was wrong lately; the next new word;
   * the place before which no chunk is right.
   */
  let copy = -1,
    run = 0,
    wrong = 0,
    fresh = 0,
    unsure = 0
  const model: Model = { out, known: 0, next }

  function code(bit: number, slot: number, near: number): number {
    const hash = Math.imul(Math.imul(near + 1, 0x9e3779b1) + slot, 0x85ebca6b) >>> (32 - size),
      closer = closest + hash,
      weight = 1.5 * seen[closer]!,
      chance = 0.5 + (chances[slot]! + weight * chances[closer]!) / (1 + weight)
    const was = coder(bit, Math.min(surest, Math.max(1 - surest, chance)))
    chances[slot]! += (was - 0.5 - chances[slot]!) / (seen[slot]! + 1.2)
    if (seen[slot]! < 12) seen[slot]!++
    chances[closer]! += (was - 0.5 - chances[closer]!) / (seen[closer]! + 1.2)
    if (seen[closer]! < 12) seen[closer]!++
    return was
  }

  function next(): number {
    if (run > longest && copied()) return out[model.known - 1]! // at least a chunk
    const n = model.known,
      before = n > 0 ? out[n - 1]! : 0,
      word = given[n] ?? 0
    let found = -1,
      failed = 0
    if (copy >= 0) {
      const guess = out[copy++]! // copy is before n
      if (code(+(guess === word), 8 * Math.min(run, 15) + wrong, guess * 600 + before)) {
        found = guess
        if (++run >= recovered) wrong = 0
      } else {
        tried[failed++] = guess
        run = 0
        wrong = Math.min(wrong + 1, 7)
      }
    }
    // nothing is learned from long copies
    if (run <= longest) found = predicted(n, word, before, found, failed)
    if (found === fresh) fresh++
    out[n] = found
    model.known++
    return found
  }

  /** Copies a chunk where all of it is right. */
  function copied(): boolean {
    const n = model.known
    if (copy < unsure || n + chunk > count || copy + chunk > n) return false
    let right = 1
    for (let i = 0; i < chunk; i++) {
      if (out[copy + i] === last) return false
      if (out[copy + i] !== given[n + i]) right = 0
    }
    if (!code(right, chunkSlot, 0)) {
      unsure = copy + chunk
      return false
    }
    out.copyWithin(n, copy, copy + chunk)
    copy += chunk
    model.known += chunk
    return true
  }

  /** The word at n by what followed the same words before, or by itself; `found` already, or some failed. */
  function predicted(n: number, word: number, before: number, known: number, failures: number): number {
    let found = known,
      failed = failures,
      better = -1
    for (let h = 0, k = 1, i = depth - 1; i >= 0; k++) {
      h = Math.imul(h + (n >= k ? out[n - k]! : 0) + 1, 0x2f0b4c47)
      h ^= h >>> 15
      if (contexts[i] === k) hashes[i--] = h >>> (32 - size)
    }
    for (let i = 0; i < depth; i++) {
      const at = (i << size) + hashes[i]!,
        place = tables[at]! - 1
      tables[at] = n + 1
      if (found >= 0 || place < 0) continue
      const guess = out[place]!
      if (wasTried(guess, failed)) continue
      if (code(+(guess === word), contextSlots + 4 * i + Math.min(3, failed), guess * 600 + before)) {
        found = guess
        better = place + 1
      } else tried[failed++] = guess
    }
    if (found < 0 && code(+(word === fresh), freshSlot, before)) found = fresh
    if (found < 0) found = spelt(word, before)
    if (better >= 0 && (copy < 0 || wrong >= patience)) {
      copy = better
      run = wrong = unsure = 0
    }
    return found
  }

  function wasTried(guess: number, failed: number): boolean {
    for (let i = 0; i < failed; i++) if (tried[i] === guess) return true
    return false
  }

  /** The word bit by bit. */
  function spelt(word: number, before: number): number {
    let node = 1
    for (let b = bits - 1; b >= 0; b--) node = 2 * node + code((word >> b) & 1, wordSlots + node, before)
    return node - (1 << bits)
  }
  return model
}

/** Nothing is surer. */
const surest = 1 - 2 ** -16

/** Bits of a word's number. */
export const bitsOf = (words: number): number => Math.ceil(Math.log2(Math.max(2, words)))

/** What ends a root. */
export const end = '\0'

/** All words of a module, those of its base first. */
export const wordsIn = ({ words, base }: Packed): readonly string[] => [
  ...(base ? wordsIn(base) : []),
  ...(base && words === '' ? [] : words.split('`')),
]

/** The widths of a module's model. */
export const widthOf = ({ bits, base, words, count }: Packed): Width =>
  base ? widthOf(base) : widthFor(words.split('`').length, count, bits)

/** A model that has read what a module's base brings, and reads its roots. */
export function reader(module: Packed): Model {
  const { before = 0, count } = module
  let bytes = '',
    next = 0,
    low = 0,
    high = 0,
    value = 0
  const shift = (): void => {
    value = ((value << 8) | (bytes.charCodeAt(next++) || 0)) >>> 0
  }
  const begin = (text: string): void => {
    bytes = atob(text)
    next = low = 0
    high = 2 ** 32 - 1
    for (let i = 0; i < 4; i++) shift()
  }
  const read: Coder = (_, chance) => {
    const middle = low + Math.floor((high - low) * chance),
      bit = +(value <= middle)
    if (bit) high = middle
    else low = middle + 1
    for (; (low ^ high) >>> 24 === 0; shift()) {
      low = (low << 8) >>> 0
      high = ((high << 8) | 255) >>> 0
    }
    return bit
  }
  const model = modelOf(widthOf(module), before + count, wordsIn(module).indexOf(end), read, [])
  const replay = ({ base: other, before: known = 0, packed: text }: Packed): void => {
    if (other) {
      replay(other)
      while (model.known < known) model.next()
    }
    begin(text)
  }
  replay(module)
  return model
}

/** The texts of a module, each unpacked when it is asked for. */
export class Texts {
  readonly #words: readonly string[]
  readonly #edits: readonly string[]
  readonly #packed: Packed
  #model: Model | undefined
  readonly #end: number
  /** Roots that were read, in the order in which they are packed. */
  readonly #roots: Uint16Array[] = []
  readonly #known = new Map<number, ArrayLike<number>>()

  constructor(packed: Packed) {
    this.#packed = packed
    this.#words = wordsIn(packed)
    this.#edits = packed.edits === '' ? [] : packed.edits.split('|')
    this.#end = this.#words.indexOf(end)
  }

  get length(): number {
    return this.#edits.length
  }

  text(number: number): string {
    return named(Array.from(this.#wordsOf(number), (w) => this.#words[w] ?? '').join(''))
  }

  /** The words of a text by their numbers. */
  #wordsOf(number: number): ArrayLike<number> {
    const known = this.#known.get(number)
    if (known) return known
    const [other = '', ...edits] = (this.#edits[number] ?? '').split(' ')
    const words =
      edits.length === 0 ? this.#root(parseInt(other, 36)) : edited(this.#wordsOf(number - parseInt(other, 36)), edits)
    this.#known.set(number, words)
    return words
  }

  /** A root; all before it are read, too. */
  #root(rank: number): Uint16Array {
    const model = (this.#model ??= reader(this.#packed))
    for (let n = this.#roots.length; n <= rank; n++) {
      const from = model.known
      while (model.known < model.out.length && model.next() !== this.#end);
      this.#roots.push(model.out.subarray(from, model.known - 1))
    }
    return this.#roots[rank]! // just read
  }
}

/** A text after its edits. */
function edited(text: ArrayLike<number>, edits: readonly string[]): readonly number[] {
  const out: number[] = []
  let at = 0
  for (const edit of edits) {
    const [fresh = '', copied = '', skipped = '0'] = edit.split(':')
    if (fresh) for (const word of fresh.split(',')) out.push(parseInt(word, 36))
    at += parseInt(skipped, 36)
    for (let end = at + parseInt(copied, 36); at < end; at++) out.push(text[at]!) // what is copied is there
  }
  return out
}

/** All texts. */
export function unpack(packed: Packed): readonly string[] {
  const texts = new Texts(packed)
  return Array.from({ length: texts.length }, (_, i) => texts.text(i))
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
