// WGSL for the editor's colours. In: a line and whether a comment is open. Out: names of tokens by the language's
// words. Nothing is parsed: the compiler says what is wrong.
import { StreamLanguage, type StringStream } from '@codemirror/language'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const keywords = words(
  'alias break case const const_assert continue continuing default diagnostic discard else enable fn for if let loop ' +
    'override requires return struct switch var while',
)
const types = words(
  'bool f16 f32 i32 u32 vec2 vec3 vec4 vec2f vec3f vec4f vec2h vec3h vec4h vec2i vec3i vec4i vec2u vec3u vec4u array ' +
    'atomic ptr sampler sampler_comparison texture_1d texture_2d texture_2d_array texture_3d texture_cube ' +
    'texture_cube_array texture_multisampled_2d texture_depth_2d texture_depth_2d_array texture_depth_cube ' +
    'texture_depth_cube_array texture_storage_1d texture_storage_2d texture_storage_2d_array texture_storage_3d',
)
const isType = (word: string): boolean => types.has(word) || /^mat[234]x[234][fh]?$/.test(word)
const atoms = words('true false')
const spaces = words('storage uniform workgroup private function read write read_write')

const number = /^(0x[\da-fA-F]*\.?[\da-fA-F]*(p[+-]?\d+)?|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)[iufh]?/

interface Open {
  /** Comments nest. */
  comments: number
}

function comment(stream: StringStream, state: Open): string {
  while (!stream.eol() && state.comments > 0) {
    if (stream.match('/*')) state.comments++
    else if (stream.match('*/')) state.comments--
    else stream.next()
  }
  return 'comment'
}

function word(stream: StringStream, text: string): string {
  if (keywords.has(text)) return 'keyword'
  if (isType(text)) return 'typeName'
  if (atoms.has(text)) return 'atom'
  if (spaces.has(text)) return 'modifier'
  return stream.match(/^\s*\(/, false) ? 'variableName.function' : 'variableName'
}

export const wgsl = StreamLanguage.define<Open>({
  name: 'wgsl',
  startState: () => ({ comments: 0 }),
  token(stream, state) {
    if (state.comments > 0) return comment(stream, state)
    if (stream.eatSpace()) return null
    if (stream.match(/^\/\/.*/)) return 'comment'
    if (stream.match('/*')) {
      state.comments = 1
      return comment(stream, state)
    }
    if (stream.match(/^@\s*\w+/)) return 'meta'
    if (stream.match(number)) return 'number'
    const match = stream.match(/^[\p{XID_Start}_]\p{XID_Continue}*/u)
    if (Array.isArray(match)) return word(stream, match[0] ?? '')
    if (stream.match(/^(->|&&|\|\||<<=?|>>=?|[-+*/%&|^<>=!]=?|~|\+\+|--)/)) return 'operator'
    stream.next()
    return null
  },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{'] },
  },
})
