// In: an expression over numbers that iterations hand on. Out: the coefficients that make it a sum of products modulo a
// constant, `a = (a + x) % 65521` as checksums have it. The one idea: residues form a ring, so that such functions are
// affine there and compose as any do, as long as no sum before its remainder leaves the range of the type (Fletcher, An
// Arithmetic Checksum for Serial Transmissions, 1982). What cannot be shown to stay in the range is none.
import { constant, literal, op, someExpr, type Expr, type MemoryType, type ScalarType } from '../../ir/index.ts'
import { coefficientsIn } from './affine-maps.ts'

/** Greatest values of the types that residues are computed in. */
const greatest: Partial<Record<ScalarType, number>> = { i32: 2 ** 31 - 1, u32: 2 ** 32 - 1 }

/** What is known of reads: which number before one is, and the most that one of another array may be. */
export interface KnownResidues {
  place(e: Expr): number | undefined
  most(e: Expr): number | undefined
}

/** The constant that all of `next` are remainders by, where products of two residues stay in the range of `type`. */
export function modulusOf(next: readonly Expr[], type: ScalarType): number | undefined {
  const byOf = (e: Expr): number | undefined =>
    e.kind !== 'op'
      ? undefined
      : e.op === 'rem'
        ? literal(e.args[1]!)
        : e.op === 'convert' || e.op === 'copy'
          ? byOf(e.args[0]!)
          : undefined
  const all = next.map(byOf),
    [by] = all
  return by !== undefined && by > 1 && all.every((x) => x === by) && (by - 1) ** 2 + by <= (greatest[type] ?? 0)
    ? by
    : undefined
}

/** Whether a number that begins as `init` is a residue from the start: where no iteration runs it stays as it is. */
export const isResidue = (init: Expr, modulus: number, known: KnownResidues): boolean =>
  (mostOf(init, modulus, known) ?? Infinity) < modulus

/**
 * The coefficients of each number before in `e`, then what is left, all residues; `undefined` where `e` is no sum of
 * products modulo `modulus`, or may leave the range before its remainder is taken.
 */
export function residuesIn(
  states: number,
  type: ScalarType,
  modulus: number,
  e: Expr,
  known: KnownResidues,
): readonly Expr[] | undefined {
  const sum = summed(e, type, modulus, known)
  // neither with the remainders that are taken on the way, nor without them
  if (!isResidue(e, modulus, known) || mostOf(sum, modulus, known) === undefined) return undefined
  return coefficientsIn({ states, type }, sum, known.place)?.map((x) => residue(x, modulus, known))
}

/** `e`, an integer that is not negative, modulo a constant. */
const residue = (e: Expr, modulus: number, known: KnownResidues): Expr =>
  e.kind === 'const'
    ? constant(e.type, Number(e.value) % modulus)
    : isResidue(e, modulus, known)
      ? e
      : op('rem', [e, constant(e.type, modulus)])

/**
 * `e` in `type`, without the remainders of what hangs on numbers before: the last one is enough where nothing leaves
 * the range of the type without them.
 */
function summed(e: Expr, type: ScalarType, modulus: number, known: KnownResidues): Expr {
  const go = (x: Expr): Expr => summed(x, type, modulus, known)
  if (!hangs(e, known)) return e.type === type ? e : op('convert', [e], type)
  if (e.kind === 'choose') return { ...e, then: go(e.then), else: go(e.else) }
  if (e.kind !== 'op') return e
  switch (e.op) {
    case 'rem':
      return literal(e.args[1]!) === modulus ? go(e.args[0]!) : e
    case 'convert':
    case 'copy':
      return go(e.args[0]!)
    case 'select':
      return op('select', [e.args[0]!, go(e.args[1]!), go(e.args[2]!)])
    case 'add':
    case 'mul':
      return op(e.op, e.args.map(go))
    default:
      return e
  }
}

const hangs = (e: Expr, known: KnownResidues): boolean => someExpr(e, (x) => known.place(x) !== undefined)

/**
 * The most that an integer expression may be, which is at least 0 and in which no sum or product of numbers before
 * leaves the range of its type; `undefined` where that is not known. Numbers before are residues.
 */
function mostOf(e: Expr, modulus: number, known: KnownResidues): number | undefined {
  const range = greatest[e.type]
  if (range === undefined) return undefined
  const found = known.place(e) === undefined ? (known.most(e) ?? ofParts(e, modulus, known)) : modulus - 1
  if (found !== undefined && found <= range) return found
  return e.type === 'u32' && !hangs(e, known) ? range : undefined
}

/** The greatest elements of arrays of small integers. */
const greatestElement: Partial<Record<MemoryType, number>> = { u8: 255, u16: 65535 }

/** The most that a read may be, by the type of its array. */
export const mostRead =
  (typeOf: (array: string) => MemoryType | undefined) =>
  (e: Expr): number | undefined =>
    e.kind === 'read' ? greatestElement[typeOf(e.array) ?? 'f32'] : undefined

/** Whether a value that is stored in small integers is one of them: nothing of it is cut. */
export const isKeptWhole = (type: MemoryType, value: Expr, most: KnownResidues['most']): boolean =>
  (mostOf(value, 1, { place: () => undefined, most }) ?? Infinity) <= (greatestElement[type] ?? 0)

function ofParts(e: Expr, modulus: number, known: KnownResidues): number | undefined {
  const most = (x: Expr): number => mostOf(x, modulus, known) ?? Infinity
  if (e.kind === 'const') return Number(e.value) >= 0 ? Number(e.value) : undefined
  if (e.kind === 'choose') return Math.max(most(e.then), most(e.else))
  if (e.kind !== 'op') return undefined
  const [a, b, c] = e.args as readonly [Expr, Expr, Expr], // as many as the operation has
    by = b && literal(b)
  switch (e.op) {
    case 'copy':
    case 'convert':
      return most(a)
    case 'add':
      return most(a) + most(b)
    case 'mul':
      return most(a) * most(b)
    case 'rem':
      return by !== undefined && by > 0 && most(a) < Infinity ? Math.min(most(a), by - 1) : undefined
    case 'and':
      return by !== undefined && by >= 0 ? by : undefined
    case 'shr':
      return by !== undefined && by >= 0 && most(a) < Infinity ? Math.floor(most(a) / 2 ** by) : undefined
    case 'select':
      return Math.max(most(b), most(c))
    default:
      return undefined
  }
}
