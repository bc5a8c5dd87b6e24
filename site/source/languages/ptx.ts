// PTX for the editor's colours: directives, instructions with their modifiers, registers, labels, numbers.
import { StreamLanguage } from '@codemirror/language'

export const ptx = StreamLanguage.define<{ comment: boolean }>({
  name: 'ptx',
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo('*/')) {
        stream.match('*/')
        state.comment = false
      } else stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^\/\/.*/)) return 'comment'
    if (stream.match('/*')) {
      state.comment = true
      return 'comment'
    }
    if (stream.match(/^"[^"]*"?/)) return 'string'
    if (stream.match(/^\.[a-z_]\w*/)) return 'typeName'
    if (stream.match(/^%[\w.]+/)) return 'variableName'
    if (stream.match(/^\$?[\w$]+:/)) return 'labelName'
    if (stream.match(/^(0[xXfFdD][\da-fA-F]+|\d+(\.\d+)?)/)) return 'number'
    if (stream.match(/^[a-z][\w]*(\.[\w:]+)*/)) return 'keyword'
    if (stream.match(/^[A-Z_$][\w$]*/)) return 'variableName.function'
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
})
