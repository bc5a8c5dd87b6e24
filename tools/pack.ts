// In: the texts of a module. Out: the packed form that `src/kernels/texts.ts` reads, checked by reading it.
import { bitsOf, Chances, modelled, slotsOf, unpack, unpacked, type Packed } from '../src/kernels/texts.ts'

/** Packs texts; `after` is what whoever reads them has read before. */
export function packTexts(texts: readonly string[], after?: Packed): Packed {
  const all = texts.flatMap((t) => `${relative(t)}\0`.match(/ ?[A-Za-z]+[$#]?|\d+|;?\n *| ?\S ?| +/g) ?? [])
  const before = after && unpacked(after),
    known = before?.list ?? []
  const own = [...new Set(all)].filter((w) => !known.includes(w)),
    words = own.join('`')
  const list = [...known, ...words.split('`')],
    ids = new Map(list.map((w, i) => [w, i]))
  const given = [...(before?.all ?? []), ...all.map((w) => ids.get(w) ?? 0)] // all are there
  const result = {
    words,
    count: all.length,
    packed: coded(list.length, given, given.length - all.length),
    ...(after && { after }),
  }
  const back = unpack(result),
    wrong = texts.findIndex((t, i) => t !== back[i])
  if (wrong >= 0) throw new Error(`text ${wrong} does not survive packing`)
  return result
}

/** The coder's bytes in base 64, of what follows the first `known` words. */
function coded(words: number, given: readonly number[], known: number): string {
  const bits = bitsOf(words),
    chances = new Chances(slotsOf(bits)),
    bytes: number[] = []
  let low = 0,
    high = 2 ** 32 - 1
  modelled(
    bits,
    given.length,
    chances,
    (bit, slot, closer) => {
      const middle = low + Math.floor((high - low) * chances.of(slot, closer))
      if (bit) high = middle
      else low = middle + 1
      for (; (low ^ high) >>> 24 === 0; high = ((high << 8) | 255) >>> 0) {
        bytes.push(high >>> 24)
        low = (low << 8) >>> 0
      }
      return bit
    },
    given,
    known,
  )
  bytes.push(...[24, 16, 8, 0].map((s) => (high >>> s) & 255))
  return Buffer.from(bytes).toString('base64')
}

/** The inverse of `named` in texts.ts, for names that the text declares. */
function relative(text: string): string {
  const declared = new Set([...text.matchAll(/\b(?:let|var) ([A-Za-z]\w*)/g)].map((m) => m[1]))
  const last = new Map<string, number>()
  return text.replace(
    /(?<![.\w])([A-Za-z](?:[A-Za-z_]*[A-Za-z])?)(?:_(\d+))?(?!\w)/g,
    (name, stem: string, digits?: string) => {
      const number = digits === undefined ? 1 : Number(digits),
        now = last.get(stem) ?? 0
      if (!declared.has(name) || (digits !== undefined && (number < 2 || digits.startsWith('0')))) return name
      if (number <= now) return `${stem}#${now - number || ''}`
      if (number > now + 1) return name
      last.set(stem, number)
      return number === 1 ? name : `${stem}$`
    },
  )
}
