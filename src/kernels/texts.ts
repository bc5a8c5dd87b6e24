// In: a module's texts as they are packed. Out: each of them, when it is asked for. Two ideas. Some texts (roots) are
// written by themselves, as words that a model foretells (`word-model.ts`): only how far it was right is kept, as an
// arithmetic coder writes it (Witten, Neal and Cleary, CACM 30, 1987). All others are edits of another text: what is
// copied of it, and words in between. So a launch costs the texts that its own is made from. `tools/pack.ts` runs the
// same model the other way round.
import { end, modelOf, type Coder, type Model } from './word-model.ts'

/** Packed texts. */
export interface Packed {
  /** Words that no base has, joined by `` ` ``. */
  readonly words: string
  /** How many words the roots have, each with one that ends it, and the coder's bytes in base 64. */
  readonly count: number
  readonly packed: string
  /**
   * Another module whose first roots the model has read before these, so that what is alike costs little, and whose
   * texts these may be edits of: its words come before `words`, and `before` are the words that were read of its roots
   * and of those that its base has read.
   */
  readonly base?: Packed
  readonly before?: number
  /**
   * A part for each text, joined by `|`, numbers in base 36. Of a root: which it is of those in `packed`. Else how far
   * back the text stands that is edited (those of the base stand before), and after blanks `words:copied` or
   * `words:copied:skipped`: new words (joined by commas), words that are skipped in the other text (as many as are new
   * when not said), and words that are copied from there.
   */
  readonly edits: string
}

/** What ends a root has number 0. */
const signs: readonly string[] = ['']

/** All words of a module by number, those of its base first. */
export const wordsIn = ({ words, base }: Packed): readonly string[] => [
  ...(base ? wordsIn(base) : signs),
  ...(words === '' ? [] : words.split('`')),
]

/** A model that has read what a module's base brings, and reads its own stream. */
export function reader({ base, before = 0, count, packed }: Packed): Model {
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
  const model = modelOf(before + count, read, [])
  const replay = (from: Packed | undefined, known: number): void => {
    if (!from) return
    replay(from.base, from.before ?? 0)
    begin(from.packed)
    while (model.known < known) model.next()
  }
  replay(base, before)
  begin(packed)
  return model
}

const read = new WeakMap<Packed, Texts>()
/** The texts of a module, which share what was unpacked. */
export function textsOf(packed: Packed): Texts {
  let texts = read.get(packed)
  if (!texts) read.set(packed, (texts = new Texts(packed)))
  return texts
}

/** The texts of a module, each unpacked when it is asked for. */
export class Texts {
  readonly #packed: Packed
  readonly #words: readonly string[]
  readonly #edits: readonly string[]
  #model: Model | undefined
  /** Roots that were read, in the order in which they are packed. */
  readonly #roots: Uint16Array[] = []
  readonly #known = new Map<number, ArrayLike<number>>()

  constructor(packed: Packed) {
    this.#packed = packed
    this.#words = wordsIn(packed)
    this.#edits = packed.edits === '' ? [] : packed.edits.split('|')
  }

  get length(): number {
    return this.#edits.length
  }

  text(number: number): string {
    return named(Array.from(this.wordsOf(number), (w) => this.#words[w] ?? '').join(''))
  }

  /** The words of a text by their numbers; the last of the base is −1. */
  wordsOf(number: number): ArrayLike<number> {
    const { base } = this.#packed
    if (number < 0 && base) return textsOf(base).wordsOf(textsOf(base).length + number)
    const known = this.#known.get(number)
    if (known) return known
    const [other = '', ...edits] = (this.#edits[number] ?? '').split(' ')
    const words =
      edits.length === 0 ? this.#root(parseInt(other, 36)) : edited(this.wordsOf(number - parseInt(other, 36)), edits)
    this.#known.set(number, words)
    return words
  }

  /** A root; all before it are read, too. */
  #root(rank: number): Uint16Array {
    const model = (this.#model ??= reader(this.#packed))
    for (let n = this.#roots.length; n <= rank; n++) {
      const from = model.known
      while (model.known < model.out.length && model.next() !== end);
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
    const [put = '', copied = '', skipped] = edit.split(':'),
      fresh = put === '' ? [] : put.split(',')
    for (const word of fresh) out.push(parseInt(word, 36))
    at += skipped === undefined ? fresh.length : parseInt(skipped, 36)
    for (let end = at + parseInt(copied, 36); at < end; at++) out.push(text[at]!) // what is copied is there
  }
  return out
}

/** All texts. */
export function unpack(packed: Packed): readonly string[] {
  const texts = textsOf(packed)
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
