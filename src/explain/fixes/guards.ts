// Accesses beyond their array. In: such a hazard. Out: candidates with a condition before the access. The one idea: a
// statement that stores is made conditional; one that only reads makes the thread leave, where no barrier follows.
import { accessesAt, pathOf, type FixCandidate, type FixCase } from './candidate.ts'
import { before, closing, lineAt, type Edit } from './source-text.ts'
import type { ExplainReport } from '../types.ts'

/** Of WGSL, whose arrays know their length. */
export function guards(c: FixCase, h: ExplainReport['hazards'][number]): readonly FixCandidate[] {
  const { code } = c
  const access = accessesAt(c, h.at)[0]
  if (!access || code.language !== 'wgsl') return []
  const path = pathOf(c, h.at)
  const item = path.at(-1)?.item
  const condition = inside(c, access)
  if (!item || !condition || item.blocks.length > 0 || path.length < 2) return []
  const line = lineAt(code.text, item.from)
  const statement = code.bare.slice(item.from, item.to)
  const wrapped: Edit[] = [
    { from: item.from, to: item.from, text: `if (${condition}) { ` },
    { from: item.to, to: item.to, text: ' }' },
  ]
  const isDeclaration = /^(?:let|var|const|return)\b/.test(statement)
  const whole: readonly FixCandidate[] = isDeclaration
    ? []
    : [{ does: `make line ${line} conditional: if (${condition})`, edits: wrapped }]
  const leaves: FixCandidate = {
    does: `leave before line ${line} unless ${condition}`,
    edits: [before(code, item, `if (!(${condition})) { return; }`)],
  }
  return [...whole, leaves]
}

/** `u32(index) < arrayLength(&array)`, or the length that the array was declared with. */
function inside(c: FixCase, access: ExplainReport['accesses'][number]): string | null {
  const { text } = access
  const open = text.indexOf('[')
  if (open < 0) return null
  const array = text.slice(0, open).trim()
  const index = text.slice(open + 1, closing(text, open) - 1)
  if (!/^[\w.]+$/.test(array)) return null
  const member = array.split('.').at(-1)!
  const declared = new RegExp(`\\b${member}\\s*:\\s*array\\s*<([^;]*)>\\s*[;,}]`).exec(c.code.bare)?.[1]
  if (declared === undefined) return null
  const length = /,\s*([\w]+)\s*$/.exec(declared)?.[1]
  return `u32(${index}) < ${length ?? `arrayLength(&${array})`}`
}
