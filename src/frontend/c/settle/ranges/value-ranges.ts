// In: an integer expression over data, and the types that arrays have in memory. Out: numbers between which its value
// surely is. The one idea is interval analysis (Moore, "Interval Analysis", 1966): bytes are below 256, a mask bounds
// what it leaves, a shift and a quotient bound what they divide; where a result might not fit its type, nothing is
// known. Conditions and sizes are left to `isNonNegative`.
import { literal, type Expr, type MemoryType } from '../../../../ir/index.ts'

/** From `least` to `most`, both included. */
export interface Interval {
  readonly least: number
  readonly most: number
}

/** What elements of an array are in memory. */
export type TypeOf = (array: string) => MemoryType | undefined

/** What a type of memory holds; integers of 64 bits and floats are none. */
export const ofTypes: Partial<Record<MemoryType, Interval>> = {
  u8: { least: 0, most: 2 ** 8 - 1 },
  i8: { least: -(2 ** 7), most: 2 ** 7 - 1 },
  u16: { least: 0, most: 2 ** 16 - 1 },
  i16: { least: -(2 ** 15), most: 2 ** 15 - 1 },
  u32: { least: 0, most: 2 ** 32 - 1 },
  i32: { least: -(2 ** 31), most: 2 ** 31 - 1 },
}

/** The interval of an integer expression; undefined where it is that of no type, or nothing is known. */
export function intervalOf(e: Expr, typeOf: TypeOf): Interval | undefined {
  if (e.type === 'bool') return { least: 0, most: 1 }
  const whole = e.type === 'i32' || e.type === 'u32' ? ofTypes[e.type] : undefined
  if (!whole) return undefined
  const found = inType(e, typeOf)
  return found && found.least >= whole.least && found.most <= whole.most ? found : whole
}

function inType(e: Expr, typeOf: TypeOf): Interval | undefined {
  const n = literal(e)
  if (n !== undefined) return { least: n, most: n }
  if (e.kind === 'read') return ofTypes[typeOf(e.array) ?? 'f32']
  if (e.kind === 'choose') return hull(intervalOf(e.then, typeOf), intervalOf(e.else, typeOf))
  if (e.kind !== 'op') return undefined
  if (e.op === 'select') return hull(intervalOf(e.args[1]!, typeOf), intervalOf(e.args[2]!, typeOf)) // it has three
  const kept = bitsKept(e)
  if (kept !== undefined) return { least: -(2 ** (kept - 1)), most: 2 ** (kept - 1) - 1 }
  const [x, y] = e.args.map((a) => intervalOf(a, typeOf))
  if (e.op === 'convert') return x
  return x && y && ofTwo(e.op, x, y)
}

/** Of an int that is shifted up and down again: how many of its bits are left, the first of which is the sign. */
function bitsKept(e: Extract<Expr, { kind: 'op' }>): number | undefined {
  const [a, b] = e.args,
    n = (b && literal(b)) ?? 0
  const isBack = e.op === 'shr' && a?.kind === 'op' && a.op === 'shl' && a.type === 'i32' && literal(a.args[1]!) === n
  return isBack && n > 0 && n < 32 ? 32 - n : undefined
}

const hull = (a: Interval | undefined, b: Interval | undefined): Interval | undefined =>
  a && b && { least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) }

function ofTwo(op: string, x: Interval, y: Interval): Interval | undefined {
  switch (op) {
    case 'add':
      return { least: x.least + y.least, most: x.most + y.most }
    case 'sub':
      return { least: x.least - y.most, most: x.most - y.least }
    case 'mul': {
      const corners = [x.least * y.least, x.least * y.most, x.most * y.least, x.most * y.most]
      return { least: Math.min(...corners), most: Math.max(...corners) }
    }
    case 'min':
      return { least: Math.min(x.least, y.least), most: Math.min(x.most, y.most) }
    case 'max':
      return { least: Math.max(x.least, y.least), most: Math.max(x.most, y.most) }
    case 'and': {
      const masks = [x, y].filter((m) => m.least >= 0)
      return masks.length > 0 ? { least: 0, most: Math.min(...masks.map((m) => m.most)) } : undefined
    }
    case 'shr':
      return y.least >= 0 && y.least === y.most && y.most < 32
        ? { least: Math.floor(x.least / 2 ** y.least), most: Math.floor(x.most / 2 ** y.least) }
        : undefined
    case 'div':
      return y.least > 0 ? { least: Math.min(0, x.least), most: Math.max(0, x.most / y.least) } : undefined
    case 'rem':
      return y.least > 0
        ? { least: Math.max(Math.min(0, x.least), 1 - y.most), most: Math.min(Math.max(0, x.most), y.most - 1) }
        : undefined
    default:
      return undefined
  }
}
