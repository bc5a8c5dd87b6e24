// The operators of reductions: one step as an expression, and the identity element.
import { constant, op } from './build.ts'
import type { Expr } from './loop.ts'
import type { ReduceOp } from '../ops.ts'

/** One step of a reduction as an expression; truth values of integers are 0 and 1. */
export function reduced(name: ReduceOp, a: Expr, b: Expr): Expr {
  if ((name !== 'land' && name !== 'lor') || a.type === 'bool') return op(name, [a, b])
  const truth = (e: Expr): Expr => op('ne', [e, constant(e.type, e.type === 'i64' || e.type === 'u64' ? 0n : 0)])
  return op('convert', [op(name, [truth(a), truth(b)])], a.type)
}

/** 0. */
export const zeroOf = (type: Expr['type']): Expr => constant(type, type === 'i64' || type === 'u64' ? 0n : 0)

/** The neutral element of a reduction on `type`. */
export function identityOf(op: ReduceOp, type: Expr['type']): Expr {
  const big = {
    f64: Infinity,
    f32: Infinity,
    f16: Infinity,
    i32: 2147483647,
    u32: 4294967295,
    i64: 9223372036854775807n,
    u64: 18446744073709551615n,
    bool: 1,
  }[type]
  const least = {
    f64: -Infinity,
    f32: -Infinity,
    f16: -Infinity,
    i32: -2147483648,
    u32: 0,
    i64: -9223372036854775808n,
    u64: 0n,
    bool: 0,
  }[type]
  const wide = type === 'i64' || type === 'u64'
  const n = (x: number): number | bigint => (wide ? BigInt(x) : x)
  switch (op) {
    case 'add':
    case 'or':
    case 'xor':
    case 'lor':
      return constant(type, n(0))
    case 'mul':
    case 'land':
      return constant(type, n(1))
    case 'min':
      return constant(type, big)
    case 'max':
      return constant(type, least)
    case 'and':
      return constant(type, type === 'u32' ? 4294967295 : type === 'u64' ? 18446744073709551615n : n(-1))
  }
}
