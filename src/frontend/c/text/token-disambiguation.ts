// In: the tokens of a preprocessed file. Out: those that a parser without a symbol table reads rightly. The one idea:
// what C's grammar leaves to the names of types is decided here, once: `(p) - q` subtracts where `p` is no type, so
// parentheses around such a name, with the subscripts, members and calls behind it, are left out; the name of a type
// alone in parentheses becomes `const` type, which no value can be, and a product in parentheses that could be a type
// of pointers (`(a * (b * c)) & 3`) begins with a plus, which no type does. Decorations of compilers that change no
// value are left out too. A variable that has the name of a type of the file is not told apart from it.
import { fail } from '../../../base/index.ts'
import { scalarNames } from './declarators.ts'
import type { Token } from './tokens.ts'

/** Words that change no value and stand alone. */
const wordsAlone: ReadonlySet<string> = new Set([
  ...['__restrict', '__restrict__', '__inline', '__inline__', '__forceinline', '__extension__', 'register'],
  ...['_Noreturn', 'noreturn', '__cdecl', '__stdcall', '__fastcall', '__vectorcall', '__unaligned', '__ptr32'],
  ...['__ptr64', '_Nonnull', '_Nullable', '__volatile__', '__volatile'],
])

/** Words that change no value, with what stands in parentheses behind them. */
const wordsWithArguments: ReadonlySet<string> = new Set([
  ...['__attribute__', '__attribute', '__declspec', '_Alignas', 'alignas', '__pragma', '_Pragma'],
])

/** Other spellings of words of C. */
const spellings: Readonly<Record<string, string>> = {
  __const: 'const',
  __const__: 'const',
  __signed: 'signed',
  __signed__: 'signed',
}

/** Attributes that make another type or another program of what they decorate. */
const meaningful: Readonly<Record<string, string>> = {
  vector_size: 'makes a vector of the type',
  ext_vector_type: 'makes a vector of the type',
  neon_vector_type: 'makes a vector of the type',
  mode: 'makes another type of it',
  cleanup: 'calls a function at the end of the block',
}

/** Words behind which a parenthesis holds an expression, not arguments. */
const beforeExpression: ReadonlySet<string> = new Set(['return', 'case', 'else', 'do', 'sizeof'])

const typeWords: ReadonlySet<string> = new Set([
  ...['const', 'volatile', 'restrict', 'struct', 'union', 'enum', 'signed', 'unsigned', 'static', '_Atomic'],
  ...['_Complex', '__m128', '__m256', '__m512', '__m128i', '__m256i', '__m512i', 'FILE', 'va_list'],
])

/** Words that stand before a parenthesis and are no function. */
const keywords: ReadonlySet<string> = new Set([
  ...['if', 'while', 'for', 'switch', 'sizeof', 'return', 'typedef', 'extern', 'inline', 'goto', 'do', 'else', 'case'],
  ...['_Alignof', '_Generic', 'typeof', '__typeof__', 'break', 'continue', 'default'],
])

/** The tokens without decorations and without parentheses that only look like casts. */
export function plainTokens(tokens: readonly Token[]): readonly Token[] {
  const plain = withoutDecorations(tokens),
    types = typeNames(plain)
  return withPlainCasts(withPlainProducts(withoutFalseCasts(plain, types), types), types)
}

/** The place behind the bracket that closes the one at `open`. */
function behind(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    const { text } = tokens[i]!
    if (text === '(' || text === '[' || text === '{') depth++
    if ((text === ')' || text === ']' || text === '}') && --depth === 0) return i + 1
  }
  return tokens.length
}

// ---------------------------------------------------------------------------------------------------- decorations

function withoutDecorations(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = []
  for (let i = 0; i < tokens.length; ) {
    const t = tokens[i]!,
      end = endOfDecoration(tokens, i)
    if (end === i) out.push(Object.hasOwn(spellings, t.text) ? { ...t, text: spellings[t.text]! } : t)
    else for (const x of tokens.slice(i, end)) refuseMeaning(x, t)
    i = Math.max(end, i + 1)
  }
  return out
}

/** Where the decoration that begins at `i` ends; `i` when none does. */
function endOfDecoration(tokens: readonly Token[], i: number): number {
  const t = tokens[i]!,
    next = tokens[i + 1]?.text
  if (t.kind === 'name' && wordsAlone.has(t.text)) return i + 1
  if (t.kind === 'name' && wordsWithArguments.has(t.text) && next === '(') return behind(tokens, i + 1)
  return t.text === '[' && next === '[' ? behind(tokens, i) : i
}

function refuseMeaning(word: Token, decoration: Token): void {
  const name = word.text.replace(/^__|__$/g, '')
  if (word.kind !== 'name' || !Object.hasOwn(meaningful, name)) return
  fail(
    'c.attribute',
    `the attribute ${name} ${meaningful[name]!}, which is not read`,
    word.at,
    `write it without ${decoration.text}: an array and a loop for a vector, a plain type, or a statement at the end`,
  )
}

// ----------------------------------------------------------------------------------------------------- false casts

/** Names that the file's typedefs declare. */
function typeNames(tokens: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]!.text !== 'typedef' || tokens[i]!.kind !== 'name') continue
    for (; i < tokens.length && tokens[i]!.text !== ';'; i++) {
      const t = tokens[i]!,
        next = tokens[i + 1]?.text
      if (t.text === '{') i = behind(tokens, i) - 1
      else if (t.kind === 'name' && (next === ';' || next === ',' || next === '[' || next === ')')) found.add(t.text)
      else if (t.text === '(' && next !== '*') i = behind(tokens, i) - 1
    }
  }
  return found
}

const isTypeOf =
  (types: ReadonlySet<string>) =>
  (t: Token | undefined): boolean =>
    t?.kind === 'name' && (types.has(t.text) || typeWords.has(t.text) || Object.hasOwn(scalarNames, t.text))

/** Operators that may stand before a value as well as between two. */
const signs: ReadonlySet<string> = new Set(['&', '*', '+', '-'])

/** `(+a * (b * c)) & 3` for `(a * (b * c)) & 3`, which is no type before the address of something. */
function withPlainProducts(tokens: readonly Token[], types: ReadonlySet<string>): readonly Token[] {
  const isType = isTypeOf(types)
  return tokens.flatMap((t, i) => {
    const open = tokens[i - 1]
    if (t.kind !== 'name' || open?.text !== '(' || isType(t) || keywords.has(t.text)) return [t]
    if (tokens[behindPostfix(tokens, i)]?.text !== '*') return [t]
    const after = tokens[behind(tokens, i - 1)]
    return isOperand(tokens, i - 1, isType) && signs.has(after?.text ?? '') ? [{ ...open, text: '+' }, t] : [t]
  })
}

function withoutFalseCasts(tokens: readonly Token[], types: ReadonlySet<string>): readonly Token[] {
  const isType = isTypeOf(types)
  const out: Token[] = [],
    /** Places in `out` of the parentheses that are open. */
    open: number[] = []
  for (const [i, t] of tokens.entries()) {
    if (t.text === '(') open.push(out.length)
    out.push(t)
    const from = t.text === ')' ? open.pop() : undefined
    if (from === undefined || isType(out[from + 1]) || !isPostfix(out, from + 1, out.length - 1)) continue
    if (!isOperand(out, from, isType) || isValue(tokens[i + 1])) continue
    out.splice(from, out.length - from, ...out.slice(from + 1, -1))
  }
  return out
}

/** `(T) - x` and `sizeof(T) * n` with `const` before the name of a type of the file: no value can stand so. */
function withPlainCasts(tokens: readonly Token[], types: ReadonlySet<string>): readonly Token[] {
  return tokens.flatMap((t, i) => {
    const before = tokens[i - 2],
      isAlone = tokens[i - 1]?.text === '(' && tokens[i + 1]?.text === ')'
    if (!isAlone || t.kind !== 'name' || !types.has(t.text)) return [t]
    if (before?.kind === 'name' && !beforeExpression.has(before.text)) return [t]
    return [{ ...t, text: 'const' }, t]
  })
}

/** Whether what stands from `from` to `to` is a name with subscripts, members and calls. */
function isPostfix(tokens: readonly Token[], from: number, to: number): boolean {
  const name = tokens[from]
  return name?.kind === 'name' && !keywords.has(name.text) && behindPostfix(tokens, from) === to
}

/** The place behind the name at `from` and its subscripts, members and calls. */
function behindPostfix(tokens: readonly Token[], from: number): number {
  let i = from + 1
  for (;;) {
    const text = tokens[i]?.text
    if (text === '[' || text === '(') i = behind(tokens, i)
    else if ((text === '.' || text === '->') && tokens[i + 1]?.kind === 'name') i += 2
    else return i
  }
}

/** Whether the parenthesis at `open` begins an operand: no arguments, condition or parameters. */
function isOperand(tokens: readonly Token[], open: number, isType: (t: Token | undefined) => boolean): boolean {
  const before = tokens[open - 1]
  if (!before) return false
  if (before.kind === 'name') return beforeExpression.has(before.text)
  if (before.text === ']') return false
  return before.text !== ')' || closesType(tokens, open - 1, isType)
}

/** Whether the parenthesis that closes at `close` holds a type: a cast. */
function closesType(tokens: readonly Token[], close: number, isType: (t: Token | undefined) => boolean): boolean {
  let depth = 0,
    i = close
  for (; i >= 0; i--) {
    if (tokens[i]!.text === ')') depth++
    if (tokens[i]!.text === '(' && --depth === 0) break
  }
  const before = tokens[i - 1]
  return isType(tokens[i + 1]) && (before?.kind !== 'name' || beforeExpression.has(before.text))
}

/** Whether `t` begins a value, before which only a cast can stand in parentheses. */
function isValue(t: Token | undefined): boolean {
  if (t?.kind === 'name' || t?.kind === 'number' || t?.kind === 'string') return true
  return t?.text === '!' || t?.text === '~' || t?.text === '{'
}
