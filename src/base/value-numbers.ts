// In: texts, and pairs of numbers made before. Out: a number for each, equal ones the same: hash consing, for value
// numbering (Alpern, Wegman and Zadeck, 1988) without a text for each value. The one idea: pairs stand in a table of
// integers with open addressing, since a `Map` of numbers beyond 31 bits makes an object for each question.

/** Places of a table at first; it grows when half of them are taken. */
const leastSize = 1024

export class ValueNumbers {
  private count = 0
  private readonly texts = new Map<string, number>()
  /** By place: the two of a pair. Free where its number is −1. */
  private first = new Int32Array(leastSize)
  private second = new Int32Array(leastSize)
  private numbers = new Int32Array(leastSize).fill(-1)
  private pairs = 0

  ofText(text: string): number {
    const known = this.texts.get(text)
    if (known !== undefined) return known
    this.texts.set(text, this.count)
    return this.count++
  }

  /** Both are integers of 32 bits; those that stand for no value made here may be negative. */
  ofPair(a: number, b: number): number {
    const at = this.placeOf(a, b),
      known = this.numbers[at]!
    if (known >= 0) return known
    this.put(at, a, b, this.count)
    if (2 * ++this.pairs > this.numbers.length) this.grow()
    return this.count++
  }

  /** Where the pair stands, or a free place for it. */
  private placeOf(a: number, b: number): number {
    const { first, second, numbers } = this,
      mask = numbers.length - 1
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
    hash ^= hash >>> 15
    for (let at = hash & mask; ; at = (at + 1) & mask)
      if (numbers[at]! < 0 || (first[at] === a && second[at] === b)) return at
  }

  private put(at: number, a: number, b: number, number: number): void {
    this.first[at] = a
    this.second[at] = b
    this.numbers[at] = number
  }

  private grow(): void {
    const { first, second, numbers } = this,
      size = 2 * numbers.length
    this.first = new Int32Array(size)
    this.second = new Int32Array(size)
    this.numbers = new Int32Array(size).fill(-1)
    for (let i = 0; i < numbers.length; i++)
      if (numbers[i]! >= 0) this.put(this.placeOf(first[i]!, second[i]!), first[i]!, second[i]!, numbers[i]!)
  }
}
