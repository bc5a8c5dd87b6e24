// Sizes of types that the host code of a CUDA program names: aliases and plain structures. In: its texts, which names
// are defined for the preprocessor, a name. Out: bytes, or null. The one idea: of definitions in branches of #ifdef the
// one that is compiled counts; members lie at multiples of their size, as C++ lays them out. Templates, base classes
// and bit fields are not followed.
import { bytesOfCudaType } from './host-values.ts'

export interface HostTypes {
  readonly texts: readonly string[]
  readonly isDefined: (name: string) => boolean
}

const qualifiers = /\b(?:const|volatile|struct|signed|static|__restrict__)\b/g

/** Bytes of a type as the text writes it; null where that is not known. */
export function bytesOfNamed(types: HostTypes, written: string, depth = 0): number | null {
  if (written.includes('*')) return 8
  const name = written
    .replace(qualifiers, ' ')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^unsigned (?=\w)/, '')
  const known = Object.hasOwn(bytesOfCudaType, name) ? bytesOfCudaType[name] : undefined
  if (known !== undefined) return known
  if (name === 'long long' || name === 'long int') return 8
  if (depth > 8 || !/^\w+$/.test(name)) return null
  const alias = definition(types, [
    new RegExp(`\\btypedef\\s+([\\w\\s*]+?)\\s*\\b${name}\\s*;`, 'g'),
    new RegExp(`\\busing\\s+${name}\\s*=\\s*([\\w\\s*]+);`, 'g'),
    new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}[ \\t]+([\\w \\t*]+?)[ \\t]*(?:\\/\\/.*)?$`, 'gm'),
  ])
  if (alias !== null) return bytesOfNamed(types, alias, depth + 1)
  const members = definition(types, [
    new RegExp(`\\bstruct\\s+(?:__align__\\(\\d+\\)\\s*)?${name}\\s*\\{([^{}()]*)\\}`, 'g'),
    new RegExp(`\\btypedef\\s+struct\\s*\\w*\\s*\\{([^{}()]*)\\}\\s*${name}\\s*;`, 'g'),
  ])
  return members === null ? null : bytesOfMembers(types, members, depth)
}

/** What the first of the patterns finds that the preprocessor leaves. */
function definition({ texts, isDefined }: HostTypes, patterns: readonly RegExp[]): string | null {
  for (const text of texts)
    for (const pattern of patterns)
      for (const m of text.matchAll(pattern)) if (isCompiled(text.slice(0, m.index), isDefined)) return m[1] ?? null
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

function bytesOfMembers(types: HostTypes, members: string, depth: number): number | null {
  let bytes = 0,
    widest = 1
  for (const member of members.replace(/\/\/.*$|\/\*[^]*?\*\//gm, '').split(';')) {
    const [, type, names] = /^\s*([\w\s]+?[\s*]+)(\w+\s*(?:\[[^;]*)?(?:,[^;]*)?)$/.exec(member.trim()) ?? []
    if (type === undefined || names === undefined) {
      if (member.trim() === '') continue
      return null
    }
    const each = bytesOfNamed(types, type, depth + 1)
    if (each === null) return null
    const alignment = Math.min(16, each & -each)
    for (const one of names.split(',')) {
      const counts = [...one.matchAll(/\[\s*(\w+)\s*\]/g)].map(([, n]) => Number(n))
      if (counts.some((n) => !Number.isInteger(n))) return null
      bytes = alignUp(bytes, alignment) + counts.reduce((a, b) => a * b, each)
    }
    widest = Math.max(widest, alignment)
  }
  return bytes === 0 ? null : alignUp(bytes, widest)
}

const alignUp = (n: number, to: number): number => Math.ceil(n / to) * to
