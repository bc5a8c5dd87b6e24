// In: C as this front end knows it. Out: its text, for who follows what passes make of it. The one idea: every binary
// expression stands in parentheses inside of another, so that no table of precedences is needed to read it. What has no
// spelling in C (a block that is left by its label) is written as the jump that it is.
import type { CExpr, CFunction, CScalar, CStmt, CUnit, Declarator } from './syntax.ts'

const typeNames: Readonly<Partial<Record<CScalar, string>>> = {
  f32: 'float',
  f64: 'double',
  i32: 'int',
  u32: 'unsigned',
  i64: 'long long',
  u64: 'unsigned long long',
  i8: 'signed char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
}

/** A number's type as C names it. */
export const typeText = (t: CScalar): string => typeNames[t] ?? t

const elementText = (d: Declarator): string => (d.struct ? `struct ${d.struct.name}` : typeText(d.type))

/** The type and name of a declaration, without its value. */
function declaratorText(d: Declarator): string {
  const extents = d.extents.map((e) => `[${e ? exprText(e) : ''}]`).join('')
  return d.pointer ? `${elementText(d)} *${d.name}${extents.slice(2)}` : `${elementText(d)} ${d.name}${extents}`
}

/** What stands behind the element's type of a pointer: `*`, or `(*)[64]` of rows. */
const pointerText = (extents: readonly (CExpr | null)[]): string =>
  extents.length > 1
    ? ` (*)${extents
        .slice(1)
        .map((e) => `[${e ? exprText(e) : ''}]`)
        .join('')}`
    : ' *'

const isAtom = (e: CExpr): boolean =>
  ['number', 'name', 'index', 'call', 'member', 'list', 'sizeof', 'unknown'].includes(e.kind)

/** `e` as an operand of another expression. */
const inner = (e: CExpr): string => (isAtom(e) ? exprText(e) : `(${exprText(e)})`)

export function exprText(e: CExpr): string {
  switch (e.kind) {
    case 'number':
      return e.exact !== undefined ? String(e.exact) : numberText(e.value, e.type)
    case 'name':
      return e.name
    case 'index':
      return `${inner(e.base)}[${exprText(e.index)}]`
    case 'deref':
      return `*${inner(e.arg)}`
    case 'unary':
      return `${e.op}${inner(e.arg)}`
    case 'binary':
      return `${inner(e.left)} ${e.op} ${inner(e.right)}`
    case 'assign':
      return `${exprText(e.left)} ${e.op}= ${exprText(e.right)}`
    case 'update':
      return e.prefix ? `${e.op}${inner(e.arg)}` : `${inner(e.arg)}${e.op}`
    case 'choose':
      return `${inner(e.condition)} ? ${inner(e.then)} : ${inner(e.else)}`
    case 'call':
      return `${e.name}(${e.args.map(exprText).join(', ')})`
    case 'cast':
      return `(${typeText(e.type)}${e.bits ? ' bits of' : ''}${e.pointer ? pointerText(e.pointer) : ''})${inner(e.arg)}`
    case 'sizeof':
      return `sizeof(${e.of ? exprText(e.of) : typeText(e.type)})`
    case 'address':
      return `&${inner(e.arg)}`
    case 'member':
      return e.base.kind === 'deref' ? `${inner(e.base.arg)}->${e.name}` : `${inner(e.base)}.${e.name}`
    case 'comma':
      return `${inner(e.left)}, ${inner(e.right)}`
    case 'list':
      return `{${e.items.map((x, i) => itemText(x, e.members?.[i])).join(', ')}}`
    case 'unknown':
      return `/* ${e.what} */`
  }
}

const itemText = (e: CExpr, member: string | undefined): string =>
  member === undefined ? exprText(e) : `.${member} = ${exprText(e)}`

function numberText(value: number, type: Extract<CExpr, { kind: 'number' }>['type']): string {
  switch (type) {
    case 'i32':
    case 'i64':
      return String(value)
    case 'u32':
    case 'u64':
      return `${value}u`
    case 'f32':
      return `${decimal(value)}f`
    case 'double':
      return decimal(value)
  }
}

/** With a point or an exponent, so that it is no integer. */
const decimal = (value: number): string => (/^-?\d+$/.test(String(value)) ? `${value}.0` : String(value))

/** The lines of a statement, each indented by `indent`. */
function stmtLines(s: CStmt, indent: string): readonly string[] {
  const more = `${indent}  `
  const line = (text: string): readonly string[] => [`${indent}${text}`]
  const block = (head: string, body: CStmt, tail = ''): readonly string[] => [
    `${indent}${head}{`,
    ...bodyOf(body).flatMap((x) => stmtLines(x, more)),
    `${indent}}${tail}`,
  ]
  switch (s.kind) {
    case 'declare':
      return s.declarators.flatMap((d) =>
        line(`${d.isStatic ? 'static ' : ''}${declaratorText(d)}${d.initial ? ` = ${exprText(d.initial)}` : ''};`),
      )
    case 'expr':
      return line(`${exprText(s.expr)};`)
    case 'for': {
      const init = s.init ? stmtLines(s.init, '').join(' ') : ';'
      const [condition, update] = [s.condition, s.update].map((e) => (e ? ` ${exprText(e)}` : ''))
      return block(`for (${init}${condition};${update}) `, s.body)
    }
    case 'if': {
      const then = block(`if (${exprText(s.condition)}) `, s.then)
      return s.else ? [...then.slice(0, -1), ...block('} else ', s.else)] : then
    }
    case 'while':
      return block(`while (${exprText(s.condition)}) `, s.body)
    case 'do':
      return block('do ', s.body, ` while (${exprText(s.condition)});`)
    case 'switch':
      return [
        `${indent}switch (${exprText(s.value)}) {`,
        ...s.cases.flatMap((c) => [
          ...c.labels.map((l) => `${more}${l ? `case ${exprText(l)}` : 'default'}:`),
          ...c.body.flatMap((x) => stmtLines(x, `${more}  `)),
        ]),
        `${indent}}`,
      ]
    case 'block':
      if (isScopeless(s)) return s.body.flatMap((x) => stmtLines(x, indent))
      return [
        ...(s.mark === undefined ? [] : line(`${s.mark}:`)),
        `${indent}{`,
        ...s.body.flatMap((x) => stmtLines(x, more)),
        `${indent}}`,
        ...(s.label === undefined ? [] : line(`${s.label}:;`)),
      ]
    case 'leave':
      return line(`goto ${s.label};`)
    case 'return':
      return line(s.value ? `return ${exprText(s.value)};` : 'return;')
    case 'break':
    case 'continue':
      return line(`${s.kind};`)
    case 'pragma':
      return line(`#pragma ${s.text}`)
    case 'empty':
      return line(s.mark === undefined ? ';' : `${s.mark}:;`)
    case 'unknown':
      return line(s.goto === undefined ? `/* ${s.what} */` : `goto ${s.goto};`)
  }
}

/** A block that neither declares anything nor is left or jumped to means no more than its statements. */
const isScopeless = (s: Extract<CStmt, { kind: 'block' }>): boolean =>
  s.label === undefined && s.mark === undefined && s.body.every((x) => x.kind !== 'declare')

const bodyOf = (s: CStmt): readonly CStmt[] =>
  s.kind === 'block' && s.label === undefined && s.mark === undefined ? s.body : [s]

export function functionText(f: CFunction): string {
  const returns = f.returnsStruct ? `struct ${f.returnsStruct.name}` : typeText(f.returns)
  const body = f.body.body.flatMap((s) => stmtLines(s, '  '))
  return [`${returns} ${f.name}(${f.parameters.map(declaratorText).join(', ')}) {`, ...body, '}', ''].join('\n')
}

/** The functions of a file. */
export const unitText = (unit: CUnit): string => unit.functions.map(functionText).join('\n')
