// Types of what a text writes to. In: a place such as `list.items[at]`. Out: its type as the text would write it. The
// one idea: declarations of the module and parameters say it; what would need more than that is not known.
import type { SourceCode } from './source-text.ts'

/** Null where declarations do not say it plainly. */
export function typeOfPlace(code: SourceCode, place: string): string | null {
  return code.language === 'wgsl' ? wgslType(code, place) : cudaType(code, place)
}

function wgslType({ bare }: SourceCode, place: string): string | null {
  const [name = '', ...steps] = place
    .replace(/\[[^[\]]*(?:\[[^\]]*\][^[\]]*)*\]/g, '.[]')
    .split('.')
    .map((s) => s.trim())
  const start = new RegExp(`\\bvar\\s*(?:<[^>]*>)?\\s*${name}\\s*:`).exec(bare)
  let type = start && typeFrom(bare, start.index + start[0].length)
  for (const step of steps) {
    if (type === null) return null
    type = step === '[]' ? elementOf(type) : memberOf(bare, type, step)
  }
  return type
}

/** The type that begins there, up to what ends a declaration or a member. */
function typeFrom(bare: string, at: number): string | null {
  let depth = 0
  for (let i = at; i < bare.length; i++) {
    const c = bare[i]!
    if (depth === 0 && /[;,}=]/.test(c)) return bare.slice(at, i).trim()
    if (c === '<') depth++
    if (c === '>') depth--
  }
  return null
}

function elementOf(type: string): string | null {
  const inner = /^array\s*<([^]*)>$/.exec(type)?.[1]
  if (inner === undefined) return null
  const element = typeFrom(`${inner};`, 0)
  return element
}

function memberOf(bare: string, type: string, member: string): string | null {
  const struct = new RegExp(`\\bstruct\\s+${type.replace(/\W/g, '\\$&')}\\s*\\{([^}]*)\\}`).exec(bare)?.[1]
  const found = struct === undefined ? null : new RegExp(`\\b${member}\\s*:`).exec(struct)
  return struct === undefined || !found ? null : typeFrom(`${struct};`, found.index + found[0].length)
}

/** Elements of what a parameter points to. */
function cudaType({ bare }: SourceCode, place: string): string | null {
  const name = /^([A-Za-z_]\w*)\s*\[[^]*\]$/.exec(place)?.[1]
  if (name === undefined) return null
  const declared = new RegExp(
    `[(,]\\s*((?:[A-Za-z_]\\w*\\s+)*[A-Za-z_]\\w*)\\s*\\*\\s*(?:__restrict__|restrict)?\\s*${name}\\s*[,)]`,
  )
  return declared.exec(bare)?.[1]?.replace(/\s+/g, ' ') ?? null
}
