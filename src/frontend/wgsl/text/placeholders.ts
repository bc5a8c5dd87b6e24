// WGSL that a program still has to complete. In: text that is no WGSL. Out: what is said of the first placeholder or
// line of a preprocessor in it. The one idea: a text that a host fills in wants one sentence, not errors of a parser
// that takes its braces for blocks. It is not filled in: only the host knows with what.
import { blankComments, type Diagnostic } from '../../../base/index.ts'
import { spanAt, type WgslSource } from './source.ts'

/** `{{name}}`, `${name}`, `{% if %}`, `<% if %>`, and `{name}` where WGSL has no brace: behind operators. */
const placeholder = /\{\{\s*[\w.]+[^{}\n]*\}\}|\$\{[^}\n]*\}|\{%[^%\n]*%\}|<%[^%\n]*%>|(?<=[(=,*+]\s*)\{\w+\}/
const directive = /^[ \t]*(?:use|include|import)\b[^{}\n]*$/m

/** The first place that a host fills in; null where there is none. */
export function templatePart(source: WgslSource): Diagnostic | null {
  const code = blankComments(source.parsed.text),
    found = placeholder.exec(code) ?? directive.exec(code)
  if (!found) return null
  const written = found[0].trim(),
    at = found.index + found[0].indexOf(written)
  return {
    severity: 'error',
    code: 'wgsl.unsupported',
    message: written.includes('{')
      ? `'${written}' is a placeholder of a template, and WGSL has none`
      : `'${written}' is for a preprocessor, and WGSL has none`,
    at: spanAt(source, at, at + written.length),
    hint: 'explain the text that the program makes of it, which the device gets',
  }
}
