// In: words by number, and a coder of bits. Out: the words, written or read with as few bits as a model of what came
// before foretells. Words are predicted by what followed the same words before (prediction by partial matching, Cleary
// and Witten, IEEE Trans. Comm. 32, 1984), long copies in chunks, and what nothing predicts is spelt bit by bit. How
// likely a prediction is right, three contexts say, and their logits are added with weights that are learned (Mahoney,
// Adaptive weighing of context models, 2005). Only +, −, × and ÷, which every engine computes alike.

/** Writes a bit and returns it, or ignores `bit` and returns one that it reads; `chance` is how likely a 1 is. */
export type Coder = (bit: number, chance: number) => number

/** Words one after the other, as far as they are asked for. */
export interface Model {
  /** Words by number; those before `known` are there. */
  readonly out: Uint16Array
  known: number
  /** The next word, or the last of several at once, of which none is `end`. */
  next(): number
}

/** Bits of a word's number. */
export const wordBits = 10

/** The word that ends a text. */
export const end = 0

/** Lengths of contexts, longest first, and bits of the tables of where they stood last. */
const contexts = [6, 4, 2, 1],
  placeBits = 16
/** Right words after which a copy is a long one: no context is longer. */
const longest = 7
/** Words of a long copy that are right or not together. */
const chunk = 64

/** After so many wrong words a copy is given up for the place that predicts right. */
const patience = 2

/** So many right words make those before good again. */
const recovered = 2

/** Slots of decisions: of copies by how long they were right and how often wrong, of contexts, of chunks, of bits. */
const contextSlots = 128,
  chunkSlot = 144,
  wordSlots = 145,
  slots = wordSlots + (1 << wordBits)

/** Bits of the table of what was decided in contexts. */
const chanceBits = 18,
  hashShift = 32 - chanceBits

/** How fast weights learn; what they are at first; decisions that a chance remembers, and how slow it begins. */
const rate = 0.03,
  firstWeight = 0.42,
  memory = 20,
  start = 1.4

/** Errors from which nothing is learned. */
const sure = 0.015

/** Nothing is surer; chances in contexts, less a half, stay below a half, where logits have no end. */
const surest = 1 - 2 ** -16,
  likely = 0.5 - 2 ** -20

/** Logits of chances in steps of 1 / steps, summed up from where they are 0: ∫ dp / (p (1 − p)). */
const steps = 4096
function logits(): Float64Array {
  const out = new Float64Array(steps)
  for (let i = steps / 2, sum = 0; i < steps; i++) {
    const p = (i + 0.5) / steps
    sum += 0.5 / (steps * p * (1 - p))
    out[i] = sum
    out[steps - 1 - i] = -sum
    sum += 0.5 / (steps * p * (1 - p))
  }
  return out
}

/** Chances of logits from −span to span, in so many steps to 1: 1 / (1 + e⁻ˣ). */
const span = 11,
  fine = 256
function chancesOf(): Float64Array {
  const out = new Float64Array(2 * span * fine + 1)
  for (let i = 0, power = 1; i <= span * fine; i++) {
    out[span * fine + i] = Math.min(surest, 1 / (1 + power))
    out[span * fine - i] = Math.max(1 - surest, power / (1 + power))
    power *= perStep
  }
  return out
}
/** e^(−1 / fine) */
const perStep = 0.9961013694701175

/** The place of a context in the table, behind those of slots. */
function placeOf(context: number): number {
  const hash = Math.imul(context ^ (context >>> 15), 0x2c1b3c6d)
  return slots + (Math.imul(hash ^ (hash >>> 12), 0x297a2d39) >>> hashShift)
}

/**
 * A model of `count` words; `given` holds all of them where `coder` writes. Its state is in the function's variables:
 * it runs for milliseconds, before any compiler has looked at it.
 */
export function modelOf(count: number, coder: Coder, given: ArrayLike<number>): Model {
  const out = new Uint16Array(count),
    logit = logits(),
    chanceOf = chancesOf()
  /** For each context, by a hash of its words, the place after where it stood last; 0: nowhere. */
  const tables = new Int32Array(contexts.length << placeBits)
  /** By a hash of a context, how much more likely than a half a 1 is, and how often it was seen. */
  const chances = new Float32Array(slots + (1 << chanceBits)),
    seen = new Uint8Array(slots + (1 << chanceBits))
  const weights = new Float64Array(3 * slots).fill(firstWeight)
  const hashes = new Int32Array(contexts.length),
    tried = new Int32Array(contexts.length + 1)
  /** The place that is copied from (−1: none), how long it was right, how often it was wrong lately, what it said. */
  let copy = -1,
    run = 0,
    wrong = 0,
    said = 0
  /** The place before which no chunk is right. */
  let unsure = 0
  const model: Model = { out, known: 0, next }

  /** A decision in `slot` about the word `guess`; `kind` is what several slots share, `other` is known besides. */
  function code(bit: number, slot: number, kind: number, guess: number, other: number): number {
    const last = model.known > 0 ? out[model.known - 1]! : 0,
      one = placeOf((((slot << wordBits) | guess) << wordBits) | last),
      two = placeOf(~((kind << wordBits) | other))
    const a = chances[slot]!,
      b = chances[one]!,
      c = chances[two]!,
      says = logit[((a + 0.5) * steps) | 0]!,
      saysOne = logit[((b + 0.5) * steps) | 0]!,
      saysTwo = logit[((c + 0.5) * steps) | 0]!
    const w = 3 * slot,
      sum = weights[w]! * says + weights[w + 1]! * saysOne + weights[w + 2]! * saysTwo,
      chance = chanceOf[((Math.max(-span, Math.min(span, sum)) + span) * fine) | 0]!,
      was = coder(bit, chance),
      error = was - chance
    if (error < sure && error > -sure) return was
    weights[w]! += rate * error * says
    weights[w + 1]! += rate * error * saysOne
    weights[w + 2]! += rate * error * saysTwo
    const target = was ? likely : -likely
    chances[slot] = a + (target - a) / (start + seen[slot]!)
    if (seen[slot]! < memory) seen[slot]!++
    chances[one] = b + (target - b) / (start + seen[one]!)
    if (seen[one]! < memory) seen[one]!++
    chances[two] = c + (target - c) / (start + seen[two]!)
    if (seen[two]! < memory) seen[two]!++
    return was
  }

  function next(): number {
    if (run > longest && copied()) return out[model.known - 1]! // at least a chunk
    const n = model.known,
      word = given[n] ?? 0
    let found = -1,
      failed = 0
    said = 0
    if (copy >= 0) {
      const guess = (said = out[copy++]!) // copy is before n
      if (code(+(guess === word), 8 * Math.min(run, 15) + wrong, wrong, guess, guess)) {
        found = guess
        if (++run >= recovered) wrong = 0
      } else {
        tried[failed++] = guess
        run = 0
        wrong = Math.min(wrong + 1, 7)
      }
    }
    // nothing is learned from long copies
    if (run <= longest) found = predicted(n, word, found, failed)
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
      if (out[copy + i] === end) return false
      if (out[copy + i] !== given[n + i]) right = 0
    }
    if (!code(right, chunkSlot, chunkSlot, 0, 0)) {
      unsure = copy + chunk
      return false
    }
    out.copyWithin(n, copy, copy + chunk)
    copy += chunk
    model.known += chunk
    return true
  }

  /** The word at n by what followed the same words before, or by itself; `known` already, or some failed. */
  function predicted(n: number, word: number, known: number, failures: number): number {
    let found = known,
      failed = failures,
      better = -1
    for (let h = 0, k = 1, i = contexts.length - 1; i >= 0; k++) {
      h = Math.imul(h + (n >= k ? out[n - k]! : 0) + 1, 0x2f0b4c47)
      h ^= h >>> 15
      if (contexts[i] === k) hashes[i--] = h >>> (32 - placeBits)
    }
    for (let i = 0; i < contexts.length; i++) {
      const table = (i << placeBits) + hashes[i]!,
        place = tables[table]! - 1
      tables[table] = n + 1
      if (found >= 0 || place < 0) continue
      const guess = out[place]!
      if (wasTried(guess, failed)) continue
      const slot = contextSlots + 4 * i + Math.min(3, failed)
      if (code(+(guess === word), slot, slot, guess, guess)) {
        found = guess
        better = place + 1
      } else tried[failed++] = guess
    }
    if (found < 0) found = spelt(word)
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
  function spelt(word: number): number {
    let node = 1
    for (let b = wordBits - 1; b >= 0; b--) {
      const slot = wordSlots + node
      node = 2 * node + code((word >> b) & 1, slot, slot, 0, said)
    }
    return node - (1 << wordBits)
  }
  return model
}
