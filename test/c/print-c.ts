// For tests: a LoopIR program as a C function, so that the front end can be asked to read it back. `flat` writes arrays
// as pointers with row-major subscripts; `sizes` are written as numbers then, else they are parameters that are planned
// so.
import type { Expr, LoopStmt, OpName, Program } from '../../src/ir/index.ts'

const infix: Partial<Record<OpName, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  eq: '==',
  ne: '!=',
}

export function printC(p: Program, sizes: Readonly<Record<string, number>>, flat: boolean): string {
  const rows = new Map(p.arrays.map((a) => [a.name, a.shape.map((e) => expr(e))]))
  const element = (array: string, index: readonly Expr[]): string => {
    const shape = rows.get(array)
    if (!shape) return array
    if (shape.length === 0) return `${array}[0]`
    const parts = index.map((e) => expr(e))
    if (!flat) return array + parts.map((x) => `[${x}]`).join('')
    return `${array}[${parts.reduce((sum, x, d) => (d === 0 ? x : `(${sum}) * ${shape[d]} + ${x}`), '')}]`
  }
  function expr(e: Expr): string {
    switch (e.kind) {
      case 'const':
        return e.type === 'f32' ? `${Number(e.value).toFixed(1)}f` : String(e.value)
      case 'size':
        return flat ? String(sizes[e.name]) : e.name
      case 'var':
      case 'scalar':
        return e.name
      case 'read':
        return element(e.array, e.index)
      case 'choose':
        return `(${expr(e.condition)} ? ${expr(e.then)} : ${expr(e.else)})`
      case 'op': {
        const args = e.args.map(expr)
        return infix[e.op] ? `(${args[0]} ${infix[e.op]} ${args[1]})` : `fmaxf(${args.join(', ')})`
      }
    }
  }
  const stmt = (s: LoopStmt): string => {
    switch (s.kind) {
      case 'loop':
        return (
          `for (int ${s.name} = ${expr(s.lower)}; ${s.name} < ${expr(s.upper)}; ${s.name} += ${s.step}) ` +
          `{\n${block(s.body)}}\n`
        )
      case 'if':
        return `if (${expr(s.condition)}) {\n${block(s.then)}} else {\n${block(s.else)}}\n`
      case 'declare':
        return `float ${s.array.name};\n`
      case 'store': {
        const target = element(s.array, s.index),
          value = expr(s.value)
        return s.reduce === 'max'
          ? `${target} = fmaxf(${target}, ${value});\n`
          : `${target} ${s.reduce ? '+=' : '='} ${value};\n`
      }
    }
  }
  const block = (body: readonly LoopStmt[]): string => body.map(stmt).join('')
  const parameter = (name: string, shape: readonly string[]): string =>
    flat || shape.length === 0 ? `float *${name}` : `float ${name}${shape.map((x) => `[${x}]`).join('')}`
  const parameters = [
    ...(flat ? [] : p.sizes.map((s) => `int ${s.name}`)),
    ...p.arrays.map((a) => parameter(a.name, rows.get(a.name)!)),
  ]
  const text = `void ${p.name}(${parameters.join(', ')}) {\n${block(p.body)}}\n`
  const planned = Object.entries(sizes).filter(([n]) => new RegExp(`\\b${n}\\b`).test(text))
  const values = planned.map(([n, v]) => `${n} = ${v}`).join(', ')
  return planned.length > 0 ? `#pragma tesela sizes(${values})\n${text}` : text
}
