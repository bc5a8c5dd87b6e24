// In: C source text, `-D` definitions and a function that finds includes. Out: the text after preprocessing and, for
// each of its tokens, where it came from. The one idea: the parser sees plain C, and positions are mapped back, so that
// every message names the user's line. `#pragma scop`/`endscop` stay in the text; `#pragma tesela` is collected.
import { fail, type Span } from '../../../base/index.ts'
import { evaluateCondition, integerValue } from './if-condition.ts'
import { plainTokens } from './token-disambiguation.ts'
import { tokenLines, type TokenLine, type Token } from './tokens.ts'

export interface Preprocessed {
  readonly text: string
  /** The place of the token at `offset` of `text`. */
  at(offset: number): Span
  /** The object-like macro whose whole value the number at `offset` is. */
  macroAt(offset: number): string | undefined
  /** Values of `#pragma tesela sizes(name = value, …)` by name. */
  readonly planned: ReadonlyMap<string, { readonly value: number; readonly at: Span }>
  /** Every name that the files have outside of `#pragma tesela`, also where conditions leave lines out. */
  readonly names: ReadonlySet<string>
  /** Names of macros that are defined at the end, those of `-D` too. */
  readonly macros: ReadonlySet<string>
}

export interface PreprocessOptions {
  readonly defines?: Readonly<Record<string, string>>
  /** The text of an included file, or undefined when there is none. */
  readonly include?: (path: string) => string | undefined
}

interface Macro {
  /** Parameter names; undefined for object-like macros. */
  readonly parameters?: readonly string[]
  readonly variadic?: boolean
  readonly body: readonly Token[]
}

/** Macros can expand exponentially. */
const maxTokens = 400_000
/** A file that includes itself is stopped here. */
const maxIncludeDepth = 32

/** Headers whose names are built in or not needed; ignored when no include directory has them. */
const knownHeaders = new Set([
  'math.h',
  'tgmath.h',
  'float.h',
  'limits.h',
  'stddef.h',
  'stdint.h',
  'stdbool.h',
  'inttypes.h',
  'stdlib.h',
  'stdio.h',
  'string.h',
  'assert.h',
  'time.h',
  'unistd.h',
  'sys/time.h',
  'sys/types.h',
  'sys/stat.h',
  'sys/resource.h',
  'fcntl.h',
  'sched.h',
  'omp.h',
  'complex.h',
  'errno.h',
  'stdarg.h',
  'malloc.h',
  'ctype.h',
  'setjmp.h',
  'signal.h',
  'locale.h',
  'wchar.h',
  'wctype.h',
  'stdnoreturn.h',
  'iso646.h',
  'strings.h',
  'memory.h',
  'getopt.h',
  'pthread.h',
  'dirent.h',
  'fenv.h',
])

/** Runs the preprocessor. Throws a `DiagnosticError` at the directive or token that is wrong. */
export function preprocess(text: string, file: string, options: PreprocessOptions = {}): Preprocessed {
  const run = new Preprocessor(options)
  for (const [name, value] of Object.entries(options.defines ?? {})) run.define(name, value)
  run.file(text, file, 0)
  return run.finish()
}

interface Condition {
  readonly active: boolean
  /** Some branch was taken already. */
  readonly taken: boolean
  readonly at: Span
}

class Preprocessor {
  private readonly macros = new Map<string, Macro>()
  private readonly options: PreprocessOptions
  private readonly out: Token[] = []
  private work = 0
  private expanded = false
  private readonly names = new Set<string>()
  private readonly planned = new Map<string, { value: number; at: Span }>()

  constructor(options: PreprocessOptions) {
    this.options = options
  }

  define(name: string, value: string): void {
    const place = `-D ${name}`
    if (!/^[A-Za-z_]\w*$/.test(name)) fail('c.preprocessor', `-D ${name} is no macro name`)
    this.macros.set(name, { body: tokenLines(value === '' ? '1' : value, place).flatMap((l) => l.tokens) })
  }

  file(text: string, file: string, depth: number): void {
    const conditions: Condition[] = []
    let pending: Token[] = []
    const flush = (): void => {
      if (pending.length > 0) for (const t of this.expand(pending)) this.out.push(t)
      pending = []
    }
    for (const line of tokenLines(text, file)) {
      const active = conditions.every((c) => c.active)
      if (!line.directive || line.tokens[1]?.text !== 'tesela')
        for (const t of line.tokens) if (t.kind === 'name') this.names.add(t.text)
      if (!line.directive) {
        if (active) for (const t of line.tokens) pending.push(t)
        continue
      }
      flush()
      if (!this.conditional(line, conditions, active) && active) this.directive(line, file, depth)
    }
    flush()
    const open = conditions[0]
    if (open) fail('c.preprocessor', 'this conditional has no #endif', open.at)
  }

  finish(): Preprocessed {
    const origins = plainTokens(this.out),
      starts: number[] = []
    let length = 0
    for (const t of origins) {
      starts.push(length)
      length += t.text.length + 1
    }
    const find = (offset: number): number => {
      let low = 0,
        high = starts.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (starts[middle]! <= offset) low = middle + 1
        else high = middle
      }
      return low - 1
    }
    const nowhere: Span = { file: '', line: 1, column: 1 }
    return {
      text: origins.map((t) => `${t.text} `).join(''),
      at: (offset) => (origins[find(offset)] ?? origins[0])?.at ?? nowhere,
      macroAt: (offset) => {
        const i = find(offset)
        return starts[i] === offset ? origins[i]?.macro : undefined
      },
      planned: this.planned,
      names: this.names,
      macros: new Set(this.macros.keys()),
    }
  }

  /** Handles `#if` and its kin; false for other directives. */
  private conditional(line: TokenLine, conditions: Condition[], active: boolean): boolean {
    const [head, ...rest] = line.tokens
    const top = conditions[conditions.length - 1]
    const outside = conditions.slice(0, -1).every((c) => c.active)
    const push = (value: () => boolean): void => {
      const yes = active && value()
      conditions.push({ active: yes, taken: yes || !active, at: line.at })
    }
    const swap = (value: () => boolean): void => {
      if (!top) fail('c.preprocessor', `#${head!.text} without #if`, line.at)
      const yes = outside && !top.taken && value()
      conditions[conditions.length - 1] = { active: yes, taken: top.taken || yes, at: top.at }
    }
    switch (head?.text) {
      case 'ifdef':
        push(() => this.macros.has(rest[0]?.text ?? ''))
        return true
      case 'ifndef':
        push(() => !this.macros.has(rest[0]?.text ?? ''))
        return true
      case 'if':
        push(() => this.condition(rest, line.at))
        return true
      case 'elif':
        swap(() => this.condition(rest, line.at))
        return true
      case 'else':
        swap(() => true)
        return true
      case 'endif':
        if (!top) fail('c.preprocessor', '#endif without #if', line.at)
        conditions.pop()
        return true
      default:
        return false
    }
  }

  private condition(tokens: readonly Token[], at: Span): boolean {
    const plain: Token[] = []
    for (let i = 0; i < tokens.length; i++) {
      const t = tokens[i]!
      if (t.text !== 'defined') {
        plain.push(t)
        continue
      }
      const wrapped = tokens[i + 1]?.text === '('
      const name = tokens[i + (wrapped ? 2 : 1)]
      if (name?.kind !== 'name' || (wrapped && tokens[i + 3]?.text !== ')'))
        fail('c.preprocessor', 'defined needs a name', t.at)
      plain.push({ ...t, kind: 'number', text: this.macros.has(name.text) ? '1' : '0' })
      i += wrapped ? 3 : 1
    }
    return evaluateCondition(this.expand(plain), at) !== 0
  }

  private directive(line: TokenLine, file: string, depth: number): void {
    const [head, ...rest] = line.tokens
    switch (head?.text) {
      case undefined:
        return
      case 'define':
        return this.defineLine(rest, line.at)
      case 'undef':
        this.macros.delete(rest[0]?.text ?? '')
        return
      case 'include':
        return this.include(rest, line.at, file, depth)
      case 'pragma':
        return this.pragma(rest, line.at)
      case 'error':
        return fail('c.preprocessor', `#error ${rest.map((t) => t.text).join(' ')}`, line.at)
      case 'line':
      case 'warning':
      case 'ident':
        return
      default:
        return fail('c.preprocessor', `unknown preprocessor directive #${head!.text}`, line.at)
    }
  }

  private defineLine(tokens: readonly Token[], at: Span): void {
    const [name, open] = tokens
    if (name?.kind !== 'name') return fail('c.preprocessor', '#define needs a name', at)
    // A definition on the command line wins over the file's.
    if (Object.hasOwn(this.options.defines ?? {}, name.text)) return
    if (open?.text !== '(' || open.spaced) {
      this.macros.set(name.text, { body: tokens.slice(1) })
      return
    }
    const close = tokens.findIndex((t) => t.text === ')')
    if (close < 0) fail('c.preprocessor', `the parameters of macro ${name.text} are not closed`, at)
    const parameters = tokens
      .slice(2, close)
      .filter((t) => t.text !== ',')
      .map((t) => t.text)
    const variadic = parameters[parameters.length - 1] === '...'
    if (variadic) parameters[parameters.length - 1] = '__VA_ARGS__'
    this.macros.set(name.text, { parameters, variadic, body: tokens.slice(close + 1) })
  }

  private include(tokens: readonly Token[], at: Span, file: string, depth: number): void {
    const expanded = tokens[0]?.kind === 'name' ? this.expand(tokens) : tokens
    const system = expanded[0]?.text === '<'
    const path = system
      ? expanded
          .slice(
            1,
            expanded.findIndex((t) => t.text === '>'),
          )
          .map((t) => t.text)
          .join('')
      : (expanded[0]?.text ?? '').replace(/^"|"$/g, '')
    if (path === '') fail('c.include', '#include needs "file" or <file>', at)
    if (depth >= maxIncludeDepth) fail('c.include', `files include each other more than ${maxIncludeDepth} deep`, at)
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : ''
    const near = system || folder === '' ? undefined : this.options.include?.(folder + path)
    const found = near ?? this.options.include?.(path)
    if (found !== undefined) return this.file(found, near === undefined ? path : folder + path, depth + 1)
    if (!knownHeaders.has(path)) fail('c.include', `${path} is not found`, at, 'give its directory with -I')
  }

  private pragma(tokens: readonly Token[], at: Span): void {
    const [word, sizes, ...rest] = tokens
    if (word?.text === 'scop' || word?.text === 'endscop') {
      this.out.push({ kind: 'sign', text: `\n#pragma ${word.text}\n`, at, spaced: true })
      return
    }
    if (word?.text !== 'tesela') return
    if (sizes?.text !== 'sizes' || rest[0]?.text !== '(' || rest[rest.length - 1]?.text !== ')')
      fail('c.pragma', 'this #pragma tesela is not understood', at, 'write #pragma tesela sizes(n = 4096, m = 1000)')
    this.plan(rest.slice(1, -1), at)
  }

  private plan(tokens: readonly Token[], at: Span): void {
    for (let i = 0; i < tokens.length; ) {
      const [name, equals, ...value] = tokens.slice(i)
      const minus = value[0]?.text === '-' ? 1 : 0
      const number = Number(value[minus]?.text.replace(/[fF]$/, ''))
      if (name?.kind !== 'name' || equals?.text !== '=' || Number.isNaN(number))
        fail('c.pragma', 'this list of sizes is not understood', name?.at ?? at, 'write sizes(n = 4096, m = 1000)')
      this.planned.set(name.text, { value: minus ? -number : number, at: name.at })
      i += 3 + minus
      if (tokens[i] && tokens[i]!.text !== ',')
        fail('c.pragma', 'this list of sizes is not understood', tokens[i]!.at, 'separate sizes by commas')
      i++
    }
  }

  // --------------------------------------------------------------------------------------------- macro expansion

  private expand(tokens: readonly Token[]): Token[] {
    const out: Token[] = []
    const input = [...tokens].reverse()
    for (let t = input.pop(); t; t = input.pop()) {
      if (++this.work > maxTokens)
        fail(
          'c.preprocessor',
          `${this.expanded ? 'macros expand to' : 'the file has'} more than ${maxTokens} tokens`,
          t.at,
          this.expanded ? undefined : 'give the function to optimize and what it needs in a file of their own',
        )
      const macro = t.kind === 'name' && !t.hidden?.has(t.text) ? this.macros.get(t.text) : undefined
      if (!macro || (macro.parameters && input[input.length - 1]?.text !== '(')) {
        out.push(t)
        continue
      }
      this.expanded = true
      const args = macro.parameters ? this.args(t, macro, input) : []
      const body = this.substitute(t, macro, args)
      this.work += body.length
      for (let i = body.length - 1; i >= 0; i--) input.push(body[i]!)
    }
    return out
  }

  /** Takes `( … )` off `input` and splits it at the top-level commas. */
  private args(name: Token, macro: Macro, input: Token[]): Token[][] {
    const args: Token[][] = [[]]
    let depth = 0
    for (;;) {
      const t = input.pop()
      if (!t) return fail('c.preprocessor', `the arguments of macro ${name.text} are not closed`, name.at)
      if (t.text === '(' && depth++ === 0) continue
      if (t.text === ')' && --depth === 0) break
      const split = t.text === ',' && depth === 1 && !(macro.variadic && args.length >= macro.parameters!.length)
      if (split) args.push([])
      else args[args.length - 1]!.push(t)
    }
    const wanted = macro.parameters?.length ?? 0
    if (wanted === 0 && args.length === 1 && args[0]!.length === 0) return []
    if (macro.variadic && args.length === wanted - 1) args.push([])
    if (args.length !== wanted)
      fail('c.preprocessor', `macro ${name.text} takes ${wanted} arguments, got ${args.length}`, name.at)
    return args
  }

  private substitute(name: Token, macro: Macro, args: readonly Token[][]): Token[] {
    const { body } = macro,
      result: Token[] = []
    const hidden = new Set([...(name.hidden ?? []), name.text])
    const hide = (t: Token): Token => ({ ...t, hidden: t.hidden ? new Set([...t.hidden, ...hidden]) : hidden })
    const argument = (t: Token | undefined): Token[] | undefined =>
      t && macro.parameters ? args[macro.parameters.indexOf(t.text)] : undefined
    const tag = this.constantMacro(name, macro)
    for (let i = 0; i < body.length; i++) {
      const t = body[i]!,
        next = body[i + 1]
      const pasted = next?.text === '##' || body[i - 1]?.text === '##'
      if (t.text === '##') continue
      const text = macro.parameters && t.text === '#' ? argument(next) : undefined
      if (text) {
        result.push({ ...t, kind: 'string', text: JSON.stringify(text.map((x) => x.text).join(' ')), at: name.at })
        i++
        continue
      }
      const given = argument(t)
      const piece = given ? (pasted ? given : this.expand(given)) : [{ ...t, at: name.at, ...tag }]
      if (body[i - 1]?.text === '##' && result.length > 0 && piece.length > 0) this.paste(result, piece)
      else result.push(...piece)
    }
    return result.map(hide)
  }

  /** Numbers keep the name of the outermost macro that is nothing but this number. */
  private constantMacro(name: Token, macro: Macro): { macro?: string } {
    const plain = macro.body.filter((t) => t.text !== '(' && t.text !== ')')
    return !macro.parameters && plain.length === 1 && integerValue(plain[0]!.text) !== undefined
      ? { macro: name.text }
      : {}
  }

  private paste(result: Token[], piece: readonly Token[]): void {
    const left = result.pop()!,
      [right, ...rest] = piece // both exist: checked by the caller
    const text = left.text + right!.text
    const made = tokenLines(text, left.at.file).flatMap((l) => l.tokens)
    if (made.length !== 1)
      fail('c.preprocessor', `pasting ${left.text} and ${right!.text} with ## does not form one token`, left.at)
    result.push({ ...made[0]!, at: left.at, spaced: left.spaced }, ...rest)
  }
}
