// In: C functions of a line each, as people write them. Out: the same with five calls of random data: sizes n and m
// from 1 and 2 to 64 and 32, arrays longer than any of them reaches.
import { random } from '../../src/base/index.ts'
import type { ElementType, Parameter, RandomFunction } from './random-function.ts'

const headers = ['math.h', 'stdint.h', 'stdlib.h', 'stddef.h', 'string.h', 'limits.h']
  .map((name) => `#include <${name}>`)
  .join('\n')

const types: Readonly<Record<string, ElementType>> = {
  char: 'i8',
  int8_t: 'i8',
  'signed char': 'i8',
  uint8_t: 'u8',
  'unsigned char': 'u8',
  short: 'i16',
  uint16_t: 'u16',
  'unsigned short': 'u16',
  int: 'i32',
  unsigned: 'u32',
  float: 'f32',
}

/** What data of a type are, inclusive; numbers are halves. */
const ranges: Readonly<Record<ElementType, readonly [number, number]>> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-300, 300],
  u16: [0, 65535],
  i32: [-1000, 1000],
  u32: [0, 4294967295],
  f32: [-8, 8],
}

const sizes = [
  { n: 7, m: 5 },
  { n: 1, m: 2 },
  { n: 33, m: 17 },
  { n: 64, m: 32 },
  { n: 50, m: 9 },
] as const

/** Elements of every array: more than three times the largest n by the largest m, and a few. */
const length = 3 * 64 * 32 + 64

/** The function of a line `void f(int n, const int *x, int *y) { … }`, with data that follow from `seed`. */
export function writtenFunction(line: string, seed: number): RandomFunction {
  const open = line.indexOf('(')
  const parameters = line
    .slice(open + 1, line.indexOf(')'))
    .split(',')
    .map(parameterOf)
  const r = random(seed)
  const returned = types[line.slice(0, line.lastIndexOf(' ', open)).trim()]
  return {
    seed,
    name: 'f',
    text: `${headers}\n\n${line}\n`,
    parameters,
    result: returned && { type: returned, isRounded: returned === 'f32' },
    calls: sizes.map((size) => ({
      values: Object.fromEntries(
        parameters.flatMap((p) => (p.kind === 'integer' ? [[p.name, p.name === 'm' ? size.m : size.n]] : [])),
      ),
      arrays: Object.fromEntries(
        parameters.flatMap((p) => {
          if (p.kind !== 'array') return []
          const [low, high] = ranges[p.type],
            step = p.type === 'f32' ? 0.5 : 1
          const number = (): number => low + step * Math.floor(r.unit() * ((high - low) / step + 1))
          return [[p.name, Array.from({ length }, number)]]
        }),
      ),
    })),
  }
}

function parameterOf(text: string): Parameter {
  const found = /^\s*(const )?([\w ]+?) (\*?)(\w+)\s*$/.exec(text)
  if (!found) throw new Error(`no parameter: ${text}`)
  const [, read, spelled, star, name] = found
  const type = types[spelled!] ?? 'i32' // sizes of other types are ints to the host
  return star
    ? { kind: 'array', name: name!, type, isWritten: !read, isRounded: type === 'f32' }
    : { kind: 'integer', name: name!, type: type === 'u32' ? 'u32' : 'i32' }
}
