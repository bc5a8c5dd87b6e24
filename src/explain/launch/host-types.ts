// Layouts of types that a CUDA program names: aliases and plain structures. In: its texts, which names are defined for
// the preprocessor, a name. Out: bytes, and where each number lies, or null. The one idea: of definitions in branches
// of #ifdef the one that is compiled counts; members lie at multiples of their alignment, as C++ lays them out.
// Templates, base classes and bit fields are not followed.
import { bytesOf, type MemoryType } from '../../ir/index.ts'
import { closing } from '../fixes/source-text.ts'
import type { ExplainSource } from '../types.ts'
import { bytesOfCudaType, hostNumber } from './host-values.ts'

/** The texts of a program's own files, the first that of its kernel; headers of libraries are left out. */
export const programTexts = ({ text, included = [] }: Pick<ExplainSource, 'text' | 'included'>): readonly string[] => [
  text,
  ...included.filter((f) => !f.isForeign).map((f) => f.text),
]

export interface HostTypes {
  /** Without comments. */
  readonly texts: readonly string[]
  readonly isDefined: (name: string) => boolean
}

/** A number inside of a type: how it is reached (`.at[2].x`; empty for a number itself), and where it begins. */
export interface HostMember {
  readonly path: string
  readonly at: number
  /** Integers of unknown sign, and pointers, as signed ones. */
  readonly type: MemoryType
}

interface Layout {
  readonly bytes: number
  readonly alignment: number
  readonly members: readonly HostMember[]
}

const qualifiers =
  /\b(?:const|constexpr|volatile|struct|signed|static|mutable|class|alignas\(\d+\)|__restrict__|__grid_constant__)\b/g

/** Names that are followed from one to the next, and numbers of a structure beyond which it is no set of parameters. */
const mostDepth = 8,
  mostMembers = 1024

/** Bytes of a type as the text writes it; null where that is not known. */
export const bytesOfNamed = (types: HostTypes, written: string): number | null =>
  layoutOf(types, written, 0)?.bytes ?? null

/** The numbers that a type of so many bytes is made of; none where the text does not say them, or says other bytes. */
export function membersOfNamed(types: HostTypes, written: string, bytes: number): readonly HostMember[] {
  const layout = written.includes('*') ? null : layoutOf(types, written.replaceAll('&', ''), 0)
  return layout?.bytes === bytes ? layout.members : []
}

const integerOf: Readonly<Record<number, MemoryType>> = { 1: 'i8', 2: 'i16', 4: 'i32', 8: 'i64' }
const realOf: Readonly<Record<string, MemoryType>> = { float: 'f32', double: 'f64', half: 'f16', __half: 'f16' }

const number = (type: MemoryType): Layout => ({
  bytes: bytesOf[type],
  alignment: bytesOf[type],
  members: [{ path: '', at: 0, type }],
})

function layoutOf(types: HostTypes, written: string, depth: number): Layout | null {
  if (written.includes('*')) return number('i64')
  const name = written
    .replace(qualifiers, ' ')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:std|cuda::std)::(?=\w)/, '')
    .replace(/^unsigned (?=\w)/, '')
  const vector = vectorOf(name)
  if (vector) return vector
  const known = typeOf(name)
  if (known) return number(known)
  if (name === 'long long' || name === 'long int' || name === 'long long int') return number('i64')
  if (depth > mostDepth || !/^\w+$/.test(name)) return null
  const alias = definition(types, [
    new RegExp(`\\btypedef\\s+([\\w\\s*]+?)\\s*\\b${name}\\s*;`, 'g'),
    new RegExp(`\\busing\\s+${name}\\s*=\\s*([\\w\\s*]+);`, 'g'),
    new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}[ \\t]+([\\w \\t*]+?)[ \\t]*(?:\\/\\/.*)?$`, 'gm'),
  ])
  if (alias !== null) return layoutOf(types, alias, depth + 1)
  if (definition(types, [new RegExp(`\\benum\\s+(?:class\\s+|struct\\s+)?${name}\\s*(\\{)`, 'g')]) !== null)
    return number('i32')
  const members = bodyOf(types, name)
  return members === null ? null : layoutOfMembers(types, members, depth)
}

/** What a number of a type of CUDA is; undefined of other names. */
const typeOf = (name: string): MemoryType | undefined =>
  Object.hasOwn(realOf, name)
    ? realOf[name]
    : integerOf[Object.hasOwn(bytesOfCudaType, name) ? bytesOfCudaType[name]! : 0]

const axes = ['x', 'y', 'z', 'w'] as const

/** `float3` and its kin: numbers side by side, those of two and four aligned as a whole, up to 16 bytes. */
function vectorOf(name: string): Layout | null {
  const [, of = '', count = ''] = /^(u?(?:char|short|int|long|longlong)|float|double)([1-4])$/.exec(name) ?? []
  const type = of.endsWith('longlong') ? 'i64' : typeOf(of.replace(/^u(?=[csl])/, ''))
  if (type === undefined) return null
  const n = Number(count),
    each = bytesOf[type]
  return {
    bytes: each * n,
    alignment: n === 3 ? each : Math.min(16, each * n),
    members: axes.slice(0, n).map((axis, i) => ({ path: `.${axis}`, at: each * i, type })),
  }
}

/** What the first of the patterns finds that the preprocessor leaves. */
function definition({ texts, isDefined }: HostTypes, patterns: readonly RegExp[]): string | null {
  for (const text of texts)
    for (const pattern of patterns)
      for (const m of text.matchAll(pattern)) if (isCompiled(text.slice(0, m.index), isDefined)) return m[1] ?? null
  return null
}

/** What stands between the braces of a structure. */
function bodyOf({ texts, isDefined }: HostTypes, name: string): string | null {
  const ahead = new RegExp(`\\bstruct\\s+(?:__align__\\(\\d+\\)\\s*|alignas\\(\\d+\\)\\s*)?${name}\\s*\\{`, 'g')
  const behind = new RegExp(`\\btypedef\\s+struct\\s*\\w*\\s*\\{([^{}]*)\\}\\s*${name}\\s*;`, 'g')
  for (const text of texts) {
    for (const m of text.matchAll(ahead)) {
      const from = m.index + m[0].length
      if (isCompiled(text.slice(0, m.index), isDefined)) return text.slice(from, closing(text, from - 1) - 1)
    }
    for (const m of text.matchAll(behind)) if (isCompiled(text.slice(0, m.index), isDefined)) return m[1] ?? null
  }
  return null
}

/** Whether what follows a text stands in no branch of #ifdef that is left out. Other conditions are taken to hold. */
function isCompiled(before: string, isDefined: (name: string) => boolean): boolean {
  const open: boolean[] = []
  for (const [, directive, name = ''] of before.matchAll(
    /^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b[ \t]*(\w*)/gm,
  ))
    switch (directive) {
      case 'ifdef':
        open.push(isDefined(name))
        break
      case 'ifndef':
        open.push(!isDefined(name))
        break
      case 'if':
        open.push(name !== '0')
        break
      case 'else':
      case 'elif':
        open.push(!open.pop())
        break
      case 'endif':
        open.pop()
    }
  return open.every(Boolean)
}

/** Declarations in the body of a structure, without what its functions do; null where it holds other structures. */
function declarationsIn(body: string): readonly string[] | null {
  const found: string[] = []
  let text = ''
  for (let at = 0; at < body.length; at++) {
    const c = body[at]!
    if (c === ';') {
      found.push(text)
      text = ''
    } else if (c === '{') {
      if (/\b(?:struct|union|class|enum)\b/.test(text)) return null
      const isFunction = text.includes('(')
      at = closing(body, at) - 1
      if (isFunction) text = ''
    } else text += c
  }
  return found
    .map((d) => d.replace(/^(?:\s*(?:public|private|protected)\s*:)+/, '').replace(/\/\/.*$|\/\*[^]*?\*\//gm, ''))
    .map((d) => d.trim())
    .filter((d) => d !== '' && !/^(?:static|using|typedef|friend|template)\b/.test(d) && !/^[^=]*\(/.test(d))
}

function layoutOfMembers(types: HostTypes, body: string, depth: number): Layout | null {
  const members: HostMember[] = []
  let bytes = 0,
    widest = 1
  for (const declaration of declarationsIn(body) ?? ['?']) {
    const [, type, names] = /^([\w:\s*&]+?[\s*&])(\w+\s*(?:[[=,][^]*)?)$/.exec(declaration) ?? []
    if (type === undefined || names === undefined || names.includes(':')) return null
    for (const [i, one] of names.split(',').entries()) {
      const [, star, name, bounds = ''] = /^\s*(\*?)\s*(\w+)\s*((?:\[[^\]]*\]\s*)*)(?:=[^]*)?$/.exec(one) ?? []
      // `float *a, b` has one pointer
      const each = layoutOf(
        types,
        star || (i === 0 && type.includes('*')) ? '*' : type.replace(/[*&]/g, ' '),
        depth + 1,
      )
      const counts = [...bounds.matchAll(/\[([^\]]*)\]/g)].map(([, n]) => constantIn(types, n ?? ''))
      if (name === undefined || each === null || !counts.every((n) => n !== null && n >= 1)) return null
      const count = counts.reduce<number>((a, b) => a * b!, 1) // just checked
      if (members.length + count * each.members.length > mostMembers) return null
      const from = alignUp(bytes, each.alignment)
      for (let k = 0; k < count; k++)
        for (const m of each.members)
          members.push({
            path: `.${name}${counts.length > 0 ? `[${k}]` : ''}${m.path}`,
            at: from + k * each.bytes + m.at,
            type: m.type,
          })
      bytes = from + count * each.bytes
      widest = Math.max(widest, each.alignment)
    }
  }
  return bytes === 0 ? null : { bytes: alignUp(bytes, widest), alignment: widest, members }
}

/** The value of a constant expression of names that the texts give numbers. */
function constantIn(types: HostTypes, text: string): number | null {
  const value = (name: string): string | null =>
    definition(types, [
      new RegExp(`\\bconst(?:expr)?\\s+(?:[\\w:]+\\s+)+${name}\\s*=\\s*([\\w\\s()*+-]+);`, 'g'),
      new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}[ \\t]+([\\w ()*+-]+?)[ \\t]*(?:\\/\\/.*)?$`, 'gm'),
    ])
  const numberIn = (expression: string, depth: number): ReturnType<typeof hostNumber> =>
    hostNumber(
      expression,
      (name) => {
        const meant = depth > mostDepth ? null : value(name)
        return meant === null ? null : numberIn(meant, depth + 1)
      },
      () => null,
    )
  return numberIn(text, 0)?.n ?? null
}

const alignUp = (n: number, to: number): number => Math.ceil(n / to) * to
