// In: names of types and declarators as they are written. Out: the scalars that the names stand for, and declarators
// with what the names of types and lists of initial values add to them, or with the reason why they are no variables.
import { bytesOf } from '../../../ir/index.ts'
import { firstExtent } from '../lower/initializers.ts'
import type { CScalar, Declarator } from './syntax.ts'

export const scalarNames: Readonly<Record<string, CScalar>> = {
  void: 'void',
  _Bool: 'bool',
  bool: 'bool',
  char: 'i8',
  short: 'i16',
  int: 'i32',
  long: 'i64',
  float: 'f32',
  double: 'f64',
  signed: 'i32',
  unsigned: 'u32',
  _Float16: 'f16',
  size_t: 'u64',
  ssize_t: 'i64',
  ptrdiff_t: 'i64',
  intptr_t: 'i64',
  uintptr_t: 'u64',
  int8_t: 'i8',
  uint8_t: 'u8',
  int16_t: 'i16',
  uint16_t: 'u16',
  int32_t: 'i32',
  uint32_t: 'u32',
  int64_t: 'i64',
  uint64_t: 'u64',
}

/** The type that words such as `unsigned long` name. */
export function sizedType(text: string): CScalar | undefined {
  const words = text.split(/\s+/)
  if (words.includes('double') && words.includes('long')) return undefined
  if (words.includes('double')) return 'f64'
  const base: 'i8' | 'i16' | 'i32' | 'i64' = words.includes('char')
    ? 'i8'
    : words.includes('short')
      ? 'i16'
      : words.includes('long')
        ? 'i64'
        : 'i32'
  return words.includes('unsigned') ? unsignedOf[base] : base
}

const unsignedOf = { i8: 'u8', i16: 'u16', i32: 'u32', i64: 'u64' } as const

/** Said of a declarator whose type is none that is read; `unknownType` says more. */
export const notNumber = 'its type is not a number'

/** Why a type that is no number, structure or known name is not taken. */
export function unknownType(text: string): { readonly unknown: string; readonly hint: string } {
  if (/\blong\b.*\bdouble\b|\bdouble\b.*\blong\b/.test(text))
    return { unknown: 'no GPU has long double', hint: 'use double or float' }
  if (/^union\b/.test(text)) return { unknown: 'it is a union', hint: 'only unions of numbers of one size are read' }
  if (/^struct\b/.test(text))
    return {
      unknown: `the file does not declare ${text.split('{')[0]!.trim()}`,
      hint: 'declare the structure with its members in this file or in one that it includes',
    } // split gives one part at least
  return {
    unknown: `its type ${text} is not known`,
    hint:
      'use int, unsigned, long, float, double and their like, ' +
      'or a typedef of them in this file or in one that it includes',
  }
}

/** Whether members are numbers that are equally wide, so that a union of them is one number's bits. */
export function areBits(members: readonly Declarator[]): boolean {
  const widths = members.map((m) =>
    m.unknown !== undefined || m.struct || m.extents.length > 0 || m.type === 'void' || m.type === 'bool'
      ? 0
      : bytesOf[m.type],
  )
  return widths.length > 0 && widths.every((w) => w > 0 && w === widths[0])
}

/** `d` whose type's name stands for the array or pointer `shape`. */
export function withShape(d: Declarator, shape: Declarator | undefined): Declarator {
  if (!shape) return d
  const whole: Declarator = {
    ...d,
    extents: [...d.extents, ...shape.extents],
    ...((d.pointer ?? (d.extents.length === 0 && shape.pointer)) && { pointer: true as const }),
    ...(shape.unknown && { unknown: shape.unknown, ...(shape.hint && { hint: shape.hint }) }),
  }
  return followable(whole)
}

/** Refused when it is a pointer to pointers. */
export const followable = (d: Declarator): Declarator =>
  d.pointer && d.extents.filter((e) => e === null).length > 1 ? { ...d, unknown: 'it is a pointer to pointers' } : d

/** With the extent that `t[] = { … }` leaves to its list. */
export function withExtent(d: Declarator): Declarator {
  const [first, ...inner] = d.extents,
    list = d.initial
  if (d.pointer || first !== null || list?.kind !== 'list' || !inner.every((e) => e?.kind === 'number')) return d
  return {
    ...d,
    extents: [
      {
        kind: 'number',
        value: firstExtent(
          list,
          inner.map((e) => (e?.kind === 'number' ? e.value : 1)),
        ),
        type: 'i32',
        at: list.at,
      },
      ...inner,
    ],
  }
}
