// WGSL as it was before 2022. In: text that is no WGSL. Out: what is said of attributes in double brackets and of
// @stage, whose syntax is no longer WGSL. The one idea: a text that fails for its age wants one sentence, not errors of
// a parser that does not know it. It is not translated: members ended with semicolons, types had other names, too.
import { blankComments, type Diagnostic } from '../../../base/index.ts'
import { spanAt, type WgslSource } from './source.ts'

const attributes =
  'stage|block|group|binding|builtin|location|workgroup_size|stride|align|size|override|access|interpolate|offset'
const pattern = new RegExp(`\\[\\[\\s*(?:${attributes})\\b[^\\]]*\\]\\]|@stage\\s*\\(\\s*\\w+\\s*\\)`)

/** The first place of former syntax with what it is now; null where there is none. */
export function formerSyntax(source: WgslSource): Diagnostic | null {
  const code = blankComments(source.parsed.text),
    found = pattern.exec(code)
  if (!found) return null
  const [written] = found,
    isStage = written.startsWith('@')
  return {
    severity: 'error',
    code: 'wgsl.syntax',
    message: isStage
      ? `'${written}' is the syntax of early 2022: the stage is an attribute of its own now`
      : `'${written}' is the syntax of 2021: attributes are written with @ now`,
    at: spanAt(source, found.index, found.index + written.length),
    hint: isStage
      ? 'write @compute for @stage(compute)'
      : 'write @compute @workgroup_size(64) for [[stage(compute), workgroup_size(64)]], @group(0) @binding(0) for ' +
        '[[group(0), binding(0)]] and @builtin(x) for [[builtin(x)]], leave [[block]] out, end members with commas',
  }
}
