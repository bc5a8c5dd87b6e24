// In: a LoopIR program. Out: its text, which `parse-loop.ts` reads again. The one idea: statements and infix
// expressions as in C, plus what C cannot say: `+=`/`max=` are reductions, `@block.x` is a binding, `? :` is lazy while
// `select()` is eager.
import type { OpName, ReduceOp } from '../ops.ts'
import type { ScalarType } from '../types.ts'
import type { ArrayDecl, Binding, Expr, Loop, LoopStmt, Program, Size, HostVariable } from './loop.ts'

/** Infix spelling and binding strength of operators; larger binds tighter. All associate to the left. */
export const infixSpelling: Partial<Record<OpName, readonly [string, number]>> = {
  lor: ['||', 1],
  land: ['&&', 2],
  or: ['|', 3],
  xor: ['^', 4],
  and: ['&', 5],
  eq: ['==', 6],
  ne: ['!=', 6],
  lt: ['<', 7],
  le: ['<=', 7],
  gt: ['>', 7],
  ge: ['>=', 7],
  shl: ['<<', 8],
  shr: ['>>', 8],
  add: ['+', 9],
  sub: ['-', 9],
  mul: ['*', 10],
  div: ['/', 10],
  rem: ['%', 10],
}
export const prefixSpelling: Partial<Record<OpName, string>> = { neg: '-', not: '~', lnot: '!' }
export const reduceSign = {
  add: '+=',
  mul: '*=',
  min: 'min=',
  max: 'max=',
  and: '&=',
  or: '|=',
  xor: '^=',
  land: '&&=',
  lor: '||=',
} as const satisfies Record<ReduceOp, string>
const suffix = {
  bool: '',
  i32: '',
  u32: 'u',
  i64: 'l',
  u64: 'ul',
  f16: 'h',
  f32: 'f',
  f64: '',
} as const satisfies Record<ScalarType, string>

function constText(type: ScalarType, value: number | bigint): string {
  if (type === 'bool') return value ? 'true' : 'false'
  if (typeof value === 'bigint' || type === 'i32' || type === 'u32') return `${value}${suffix[type]}`
  if (Number.isNaN(value)) return `${type}.nan`
  if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}${type}.inf`
  const digits = Object.is(value, -0) ? '-0' : type === 'f32' ? shortest(value) : String(value)
  return `${/[.e]/.test(digits) ? digits : `${digits}.0`}${suffix[type]}`
}

/** The fewest digits that give the same f32. */
function shortest(value: number): string {
  if (Math.fround(value) !== value) return String(value)
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return String(rounded)
  }
  return String(value)
}

function opText(e: Extract<Expr, { kind: 'op' }>, outer: number): string {
  const sign = infixSpelling[e.op]
  if (sign) {
    const text = `${exprText(e.args[0]!, sign[1])} ${sign[0]} ${exprText(e.args[1]!, sign[1] + 1)}`
    return sign[1] < outer ? `(${text})` : text
  }
  const pre = prefixSpelling[e.op]
  if (pre && e.args[0]!.kind !== 'const') return `${pre}${exprText(e.args[0]!, 11)}`
  const name = e.op === 'convert' ? e.type : e.op === 'bitcast' ? `bitcast_${e.type}` : e.op
  return `${name}(${e.args.map((a) => exprText(a, 0)).join(', ')})`
}

function elementText(array: string, index: readonly Expr[]): string {
  return index.length === 0 ? array : `${array}[${index.map((e) => exprText(e, 0)).join(', ')}]`
}

function exprText(e: Expr, outer: number): string {
  switch (e.kind) {
    case 'const':
      return constText(e.type, e.value)
    case 'var':
    case 'size':
    case 'scalar':
      return e.name
    case 'read':
      return elementText(e.array, e.index)
    case 'op':
      return opText(e, outer)
    case 'choose': {
      const text = `${exprText(e.condition, 1)} ? ${exprText(e.then, 0)} : ${exprText(e.else, 0)}`
      return outer > 0 ? `(${text})` : text
    }
  }
}

/** One expression as text. */
export const printExpr = (e: Expr): string => exprText(e, 0)

function bindText(bind: Binding): string {
  switch (bind.kind) {
    case 'serial':
      return ''
    case 'block':
      return ` @block.${bind.axis}`
    case 'thread':
      return ` @thread(${bind.stride})`
    case 'vector':
      return ' @vector'
    case 'unroll':
      return ' @unroll'
    case 'matrix':
      return ` @matrix.${bind.work.op}`
  }
}

function declText(a: ArrayDecl): string {
  const pad = a.pad === undefined ? '' : ` pad ${a.pad}`
  return `${a.name}: ${a.type}[${a.shape.map(printExpr).join(', ')}] ${a.role} ${a.space}${pad}`
}

function loopHead(s: Loop): string {
  const step = s.step === 1 ? '' : ` step ${s.step}`
  return `for ${s.name} in ${printExpr(s.lower)} .. ${printExpr(s.upper)}${step}${bindText(s.bind)}`
}

function stmtLines(s: LoopStmt, indent: string): string[] {
  switch (s.kind) {
    case 'loop':
      return [`${indent}${loopHead(s)} {`, ...blockLines(s.body, indent), `${indent}}`]
    case 'if': {
      const head = [`${indent}if ${printExpr(s.condition)} {`, ...blockLines(s.then, indent)]
      return s.else.length === 0
        ? [...head, `${indent}}`]
        : [...head, `${indent}} else {`, ...blockLines(s.else, indent), `${indent}}`]
    }
    case 'store':
      return [
        `${indent}${elementText(s.array, s.index)} ${s.reduce ? reduceSign[s.reduce] : '='} ` +
          `${printExpr(s.value)}${s.atomic ? ' @atomic' : ''}`,
      ]
    case 'declare':
      return [`${indent}declare ${declText(s.array)}`]
  }
}

const blockLines = (body: readonly LoopStmt[], indent: string): string[] =>
  body.flatMap((s) => stmtLines(s, `${indent}  `))

/** One statement and what is in it, as text without a final newline. */
export const printStmt = (s: LoopStmt): string => stmtLines(s, '').join('\n')

const sizeText = (s: Size): string =>
  [
    `size ${s.name} = ${s.planned} min ${s.min}`,
    originText(s),
    ...(s.where ?? []).map((e) => ` where ${printExpr(e)}`),
    fixedText(s),
    s.counts ? ' counts' : '',
    s.kind === 'given' && s.reach !== undefined ? ` reach ${s.reach}` : '',
  ].join('')

/** What the size is, where the caller does not say it. */
function originText(s: Size): string {
  switch (s.kind) {
    case 'given':
      return ''
    case 'quotient':
      return ` quotient ${printExpr(s.of)} by ${s.by} from ${s.from}${s.signed ? ' signed' : ''}`
    case 'bits':
      return ' bits'
    case 'derived':
      return ' derived'
  }
}

const fixedText = (s: Size): string => (s.kind !== 'given' || s.fixed === undefined ? '' : s.fixed ? ' fixed' : ' free')

const hostVariableText = (v: HostVariable): string =>
  `host variable ${v.name} = ${v.planned} min ${v.min}${v.below ? ` below ${printExpr(v.below)}` : ''}`

/** The whole program as text, ending in a newline. */
export function printProgram(p: Program): string {
  const lines = [
    `program ${p.name} {`,
    ...p.sizes.map((s) => `  ${sizeText(s)}`),
    ...p.hostVariables.map((v) => `  ${hostVariableText(v)}`),
    ...p.scalars.map(
      (s) => `  scalar ${s.name}: ${s.type}${s.planned === undefined ? '' : ` = ${constText('f64', s.planned)}`}`,
    ),
    ...p.arrays.map((a) => `  array ${declText(a)}`),
    ...blockLines(p.body, ''),
    '}',
  ]
  return `${lines.join('\n')}\n`
}
