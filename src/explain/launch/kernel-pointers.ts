// Kernels that host code launches through pointers: `void (*k)(float *) = scale; k<<<g, b>>>(x);`. In: texts of
// statements. Out: what each makes a name point to, the kernels of a program, and the callee of a launch taken apart.
// The one idea: a pointer has the text of its last value, which is resolved where it is launched, as a number would be.
// Members of structures and pointers that functions return are not followed.
import { closing } from '../fixes/source-text.ts'

/** A name and the text of what it points to: a kernel, another pointer, a choice, or a list of those in braces. */
export interface PointerUpdate {
  readonly name: string
  readonly value: string
}

const pointee = String.raw`&?\s*(?:\w+::)*\w+(?:\s*<[^;=]*>)?`
const valuePattern = String.raw`(\{[^]*\}|[^?;=]+\?[^;=]+:\s*${pointee}|${pointee})`

/** `void (*k)(int) = a`, `void (*all[])(int) = {a, b}`. */
const declarator = new RegExp(
  String.raw`^[\w:\s*&]+\(\s*\*\s*(?:const\s+)?(\w+)\s*(?:\[[^\]]*\]\s*)?\)\s*\([^=]*\)\s*=?\s*${valuePattern}\s*;?$`,
)
/** `Kernel k = a`, `auto k = &a<4>`, `Kernel all[] = {a, b}`. */
const declaration = new RegExp(
  String.raw`^(?:[\w:]+(?:\s*<[^;=]*>)?[\s*&]+)+(\w+)\s*(?:\[[^\]]*\]\s*)?=?\s*${valuePattern}\s*;?$`,
)
const assignment = new RegExp(String.raw`^(\w+)\s*=\s*${valuePattern}\s*;?$`)

const noDeclaration = /^(?:return|throw|delete|goto|using|typedef|struct|class|enum)\b/

/** What a statement makes a name point to, if it may be a pointer to a kernel. */
export function pointerUpdateOf(statement: string): PointerUpdate | null {
  if (!/[={]/.test(statement) || noDeclaration.test(statement)) return null
  const [, name, value] = declarator.exec(statement) ?? assignment.exec(statement) ?? declaration.exec(statement) ?? []
  return name === undefined || value === undefined ? null : { name, value: value.trim() }
}

/** Names that assignments anywhere in a text change. */
export const assignedIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(\w+)\s*=(?!=)/g)].flatMap(([, name]) => name ?? [])

/** What a launch or a value names: `path<args>`, `path[index]`, or `condition ? first : second`. */
export type Pointee =
  | { readonly kind: 'name'; readonly path: string; readonly args: string | undefined }
  | { readonly kind: 'element'; readonly list: string; readonly index: string }
  | { readonly kind: 'choice'; readonly condition: string; readonly values: readonly [string, string] }

export function pointeeOf(text: string): Pointee | null {
  const bare = text
    .trim()
    .replace(/^\(\s*\*\s*(\w+)\s*\)$/, '$1')
    .replace(/^&\s*/, '')
  const [, path, args] = /^((?:\w+::)*\w+)\s*(<[^]*>)?$/.exec(bare) ?? []
  if (path !== undefined) return { kind: 'name', path, args }
  const [, list, index] = /^(\w+)\s*\[([^\]]*)\]$/.exec(bare) ?? []
  if (list !== undefined && index !== undefined) return { kind: 'element', list, index }
  const [, condition, first, second] = /^([^?]+)\?([^?:]*(?:::[^?:]+)*):(?!:)([^]+)$/.exec(bare) ?? []
  return condition === undefined || first === undefined || second === undefined
    ? null
    : { kind: 'choice', condition, values: [first, second] }
}

/** The elements of a list in braces; brackets of template arguments keep what is inside together. */
export function pointeesIn(list: string): readonly string[] {
  const [, inside] = /^\{([^]*)\}$/.exec(list.trim()) ?? []
  if (inside === undefined) return []
  const found: string[] = []
  let depth = 0,
    from = 0
  for (let at = 0; at <= inside.length; at++) {
    const c = inside[at]
    if (c === '<' || c === '(') depth++
    if (c === '>' || c === ')') depth--
    if (c !== undefined && (c !== ',' || depth > 0)) continue
    found.push(inside.slice(from, at).trim())
    from = at + 1
  }
  return found.filter((f) => f !== '')
}

/** A kernel of a program's texts: whether one of them has its body. */
export type Kernels = ReadonlyMap<string, { readonly isDefined: boolean }>

/** The kernels that texts without comments declare or define. */
export function kernelsIn(texts: readonly string[]): Kernels {
  const found = new Map<string, { readonly isDefined: boolean }>()
  for (const text of texts)
    for (const { index } of text.matchAll(/\b__global__\b/g)) {
      const head = text.slice(index, index + mostHead).replace(/\b__(?:launch_bounds|cluster_dims)__\s*\([^()]*\)/, ''),
        [start, name] = /^[^;{}()]*?(\w+)\s*\(/.exec(head) ?? []
      if (start === undefined || name === undefined) continue
      const isDefined = /^\s*\{/.test(head.slice(closing(head, start.length - 1)))
      if (isDefined || !found.has(name)) found.set(name, { isDefined })
    }
  return found
}

/** Characters in which the parameters of a kernel end. */
const mostHead = 4000

/** A launch: `k<<<`, `k<float, 4><<<`, `all[i]<<<` or `(*k)<<<`. */
export const launchPattern = new RegExp(
  String.raw`(?:\(\s*\*\s*(?<pointer>[A-Za-z_]\w*)\s*\)|` +
    String.raw`(?<path>[A-Za-z_]\w*(?:::\w+)*)\s*(?<args><[^<>;{}]*>)?\s*(?<index>\[[^\][;]*\])?)\s*<<<`,
  'g',
)
