// In: numbers of one size and the type of a wider or narrower one. Out: C expressions for the same bytes as numbers of
// the other size. The one idea: both targets, and all that hosts run on, are little-endian, so that what `memcpy` moves
// between an array of bytes and a number is shifts and sums.
import { bytesOf, isInteger, type MemoryType } from '../../../../ir/index.ts'
import { binaryOf, numberOf } from '../c-rewriting.ts'
import type { CExpr, CScalar } from '../../text/syntax.ts'

const bitsOfByte = 8
const unsignedOf = { 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64' } as const

/** Bytes of a number; 0 of what has no bits of its own. */
export const widthOf = (type: CScalar): number => (type === 'void' || type === 'bool' ? 0 : bytesOf[type])

type Width = keyof typeof unsignedOf

/** The integer without a sign that is as wide as `type`, which has bits, and so one of the widths that there are. */
const bitsOf = (type: CScalar): MemoryType => unsignedOf[widthOf(type) as Width]

/** A number of type `from` as one of type `as`, which is as wide: integers wrap, others keep their bits. */
export const seenAs = (e: CExpr, from: CScalar, as: CScalar): CExpr =>
  from === as
    ? e
    : { kind: 'cast', type: as, arg: e, at: e.at, ...(!(isInteger(from) && isInteger(as)) && { bits: true }) }

const castOf = (type: CScalar, arg: CExpr): CExpr => ({ kind: 'cast', type, arg, at: arg.at })

/** `parts` of type `from`, the first lowest, as one number of type `as`, which is as wide as all of them. */
export function joined(parts: readonly CExpr[], from: CScalar, as: CScalar): CExpr {
  const whole = bitsOf(as),
    step = widthOf(from) * bitsOfByte
  const places = parts.map((x, i) => {
    const wide = castOf(whole, seenAs(x, from, bitsOf(from)))
    return i === 0 ? wide : binaryOf('<<', wide, numberOf(i * step, x.at))
  })
  return seenAs(
    places.reduce((sum, x) => binaryOf('|', sum, x)),
    whole,
    as,
  )
}

/** The numbers of type `as` that `e` of type `from` consists of, the lowest first. */
export function taken(e: CExpr, from: CScalar, as: CScalar): readonly CExpr[] {
  const step = widthOf(as) * bitsOfByte,
    bits = seenAs(e, from, bitsOf(from))
  return Array.from({ length: widthOf(from) / widthOf(as) }, (_, i) =>
    seenAs(castOf(bitsOf(as), i === 0 ? bits : binaryOf('>>', bits, numberOf(i * step, e.at))), bitsOf(as), as),
  )
}
