// In: PTX text. Out: `Module`: files, variables with their initial bytes, and functions whose bodies are only located.
// The one idea: a module holds many kernels and one is wanted, so bodies are found by their braces and parsed on
// demand.
import { fail } from '../../../base/index.ts'
import { literalOf, Scanner } from './scanner.ts'
import {
  bytesOfType,
  isType,
  type PtxFunction,
  type PtxModule,
  type PtxSpace,
  type PtxType,
  type Variable,
} from './syntax.ts'

/** Bytes of variables of one module that are kept; more is refused. */
const mostBytes = 2 ** 26

const spaces: Readonly<Record<string, PtxSpace>> = {
  '.global': 'global',
  '.const': 'const',
  '.shared': 'shared',
  '.local': 'local',
  '.param': 'param',
}
const isSpace = (word: string): boolean => Object.hasOwn(spaces, word)
const linking = new Set(['.visible', '.extern', '.weak', '.common'])

/** Reads a module. Throws `ptx.syntax`, `ptx.unsupported`. */
export function parsePtxModule(text: string, file: string): PtxModule {
  return new ModuleParser(text, file).parse()
}

class ModuleParser {
  private readonly s: Scanner
  private readonly variables: Variable[] = []
  private readonly functions = new Map<string, PtxFunction>()
  private readonly files = new Map<number, string>()
  private readonly textures = new Set<string>()
  private target = ''
  private addressBits: 32 | 64 = 32
  private readonly budget = { bytes: 0 }

  constructor(text: string, file: string) {
    this.s = new Scanner(text, file)
  }

  parse(): PtxModule {
    const { s } = this
    if (s.peek() < 0) s.fail('the file holds no PTX')
    while (s.peek() >= 0) this.directive()
    return {
      text: s.text,
      file: s.file,
      target: this.target,
      addressBits: this.addressBits,
      files: this.files,
      variables: this.variables,
      functions: this.functions,
      textures: this.textures,
    }
  }

  private directive(): void {
    const { s } = this
    const word = s.word()
    if (linking.has(word)) return this.linked(word)
    if (word === '.entry' || word === '.func') return this.func(word === '.entry')
    if (isSpace(word)) return this.declare(word, false)
    switch (word) {
      case '.version':
        s.name()
        return
      case '.target':
        this.targets()
        return
      case '.address_size':
        this.addressBits = s.integer() === 32 ? 32 : 64
        return
      case '.file':
        this.sourceFile()
        return
      case '.section':
        s.name()
        s.skipBraces()
        return
      case '.pragma':
        s.string()
        s.accept(';')
        return
      case '.alias':
        s.name()
        s.expect(',')
        s.name()
        s.expect(';')
        return
      case '.loc':
      case '@@DWARF':
        s.skipLine()
        return
      default:
        s.fail(`expected a directive, found '${word.slice(0, 40) || String.fromCharCode(s.peek())}'`)
    }
  }

  private linked(word: string): void {
    const { s } = this
    let external = word === '.extern'
    for (;;) {
      const next = s.word()
      if (linking.has(next)) {
        external ||= next === '.extern'
        continue
      }
      if (next === '.entry' || next === '.func') return this.func(next === '.entry')
      if (isSpace(next)) return this.declare(next, external)
      return s.fail(`expected .entry, .func or a state space, found '${next.slice(0, 40)}'`)
    }
  }

  private targets(): void {
    const { s } = this
    this.target = s.name()
    while (s.accept(',')) s.name()
  }

  /** `.file 1 "name"[, time, size]` */
  private sourceFile(): void {
    const { s } = this
    const number = s.integer()
    this.files.set(number, s.string())
    while (s.accept(',')) s.integer()
  }

  private declare(space: string, external: boolean): void {
    for (const v of declarations(this.s, spaces[space]!, external, this.budget, this.textures)) this.variables.push(v)
  }

  private func(entry: boolean): void {
    const { s } = this
    const line = s.line
    const results = s.peek() === 40 ? this.parameters() : []
    const name = s.name()
    const params = s.peek() === 40 ? this.parameters() : []
    const hints = this.hints()
    const body = s.peek() === 123 ? s.skipBraces() : null
    if (!body) s.expect(';')
    const known = this.functions.get(name)
    if (!known?.body || body) this.functions.set(name, { name, entry, params, results, ...hints, line, body })
  }

  /** `(.param .u64 .ptr .global .align 4 name, …)` */
  private parameters(): Variable[] {
    const { s } = this
    const list: Variable[] = []
    s.expect('(')
    while (!s.accept(')')) {
      const space = s.word()
      if (space !== '.param' && space !== '.reg') s.fail(`expected .param, found '${space.slice(0, 40)}'`)
      list.push(declarator(s, 'param', attributes(s), false, this.budget))
      if (s.peek() !== 41) s.expect(',')
    }
    return list
  }

  private hints(): Pick<PtxFunction, 'reqntid' | 'maxntid'> {
    const { s } = this
    let reqntid: PtxFunction['reqntid'] = null,
      maxntid: PtxFunction['maxntid'] = null
    for (;;) {
      if (s.peek() !== 46) return { reqntid, maxntid }
      const word = s.word()
      if (word === '.pragma') {
        s.string()
        s.accept(';')
        continue
      }
      if (word === '.noreturn') continue
      const sizes: number[] = []
      const digit = (c: number): boolean => c >= 48 && c <= 57
      if (digit(s.peek()))
        do sizes.push(s.integer())
        while (s.accept(','))
      const [x = 1, y = 1, z = 1] = sizes
      if (word === '.reqntid') reqntid = [x, y, z]
      if (word === '.maxntid') maxntid = [x, y, z]
    }
  }
}

interface Attributes {
  readonly type: PtxType | 'opaque'
  readonly align: number
  readonly vector: number
}

/** `.align 4 .v2 .f32 .ptr .global …` before a name. */
function attributes(s: Scanner): Attributes {
  let type: PtxType | 'opaque' | null = null,
    align = 0,
    vector = 1
  while (s.peek() === 46) {
    const word = s.word().slice(1)
    if (isType(word)) type = word
    else if (word === 'texref' || word === 'samplerref' || word === 'surfref') type = 'opaque'
    else if (word === 'align') {
      const n = s.integer()
      if (align === 0 || type === null) align = n
    } else if (word === 'v2' || word === 'v4') vector = Number(word[1])
    else if (word === 'attribute') {
      while (!s.accept(')')) {
        if (!s.accept('(') && !s.accept(',')) s.name()
      }
    } else if (word !== 'ptr' && !isSpace(`.${word}`)) s.fail(`unknown attribute '.${word.slice(0, 40)}'`)
  }
  if (type === null) return s.fail(`expected a type, found ${s.describe()}`)
  return { type, align, vector }
}

/** A declaration up to its `;`: one or more names of one type. */
export function declarations(
  s: Scanner,
  space: PtxSpace,
  external: boolean,
  budget: { bytes: number },
  textures: Set<string>,
): Variable[] {
  const list: Variable[] = []
  const a = attributes(s)
  do {
    const v = declarator(s, space, a, external, budget)
    if (a.type === 'opaque') textures.add(v.name)
    list.push(v)
  } while (s.accept(','))
  s.expect(';')
  return list
}

function declarator(
  s: Scanner,
  space: PtxSpace,
  a: Attributes,
  external: boolean,
  budget: { bytes: number },
): Variable {
  const line = s.line
  const name = s.name()
  const type: PtxType = a.type === 'opaque' ? 'b64' : a.type
  const element = bytesOfType[type]
  let count = a.vector
  while (s.accept('[')) count *= bound(s)
  if (count * element > 2 ** 31) s.fail(`'${name.slice(0, 80)}' has more than 2³¹ bytes`)
  const align = a.align || element * a.vector
  const initial = s.accept('=')
    ? initializer(s, a.type === 'opaque' ? null : type, count * element, budget)
    : { bytes: null, pointers: [] }
  return { name, space, type, count, align, initial: initial.bytes, pointers: initial.pointers, external, line }
}

/** What stands between `[` and `]`; nothing: 0. */
function bound(s: Scanner): number {
  if (s.accept(']')) return 0
  const n = s.integer()
  if (!(n >= 0 && n <= 2 ** 31)) s.fail(`${n} elements are not between 0 and 2³¹`)
  s.expect(']')
  return n
}

/** `{1, 2, {3, 4}, name, generic(name)+8}` or one value. `null` type: fields of a texture, passed over. */
function initializer(
  s: Scanner,
  type: PtxType | null,
  size: number,
  budget: { bytes: number },
): { bytes: Uint8Array | null; pointers: Variable['pointers'] } {
  if (type === null) {
    if (s.peek() === 123) s.skipBraces()
    else s.name()
    return { bytes: null, pointers: [] }
  }
  budget.bytes += size
  if (budget.bytes > mostBytes) fail('ptx.size', `the module's variables have more than ${mostBytes} bytes`, s.span())
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  const pointers: { at: number; name: string; offset: number }[] = []
  const width = bytesOfType[type]
  let at = 0
  const value = (): void => {
    if (at + width > size) s.fail('there are more initial values than elements')
    const negative = s.accept('-')
    const word = s.name()
    const known = literalOf(word)
    if (known) write(view, at, type, negative ? BigInt.asUintN(64, -known.bits) : known.bits, known.float)
    else pointers.push({ at, ...symbol(s, word) })
    at += width
  }
  const list = (depth: number): void => {
    if (depth > 16) s.fail('initial values nest too deep')
    while (!s.accept('}')) {
      if (s.accept('{')) list(depth + 1)
      else value()
      if (s.peek() !== 125) s.expect(',')
    }
  }
  if (s.accept('{')) list(0)
  else value()
  return { bytes, pointers }
}

function symbol(s: Scanner, word: string): { name: string; offset: number } {
  let name = word
  if (word === 'generic') {
    s.expect('(')
    name = s.name()
    s.expect(')')
  }
  return { name, offset: s.accept('+') ? s.integer() : 0 }
}

function write(view: DataView, at: number, type: PtxType, bits: bigint, float: 32 | 64 | undefined): void {
  const width = bytesOfType[type]
  let value = bits
  if (type === 'f32' && float === 64) {
    view.setFloat32(at, floatOf(bits), true)
    return
  }
  if (type === 'f64' && float === 32) value = bits
  for (let i = 0; i < Math.min(8, width); i++) view.setUint8(at + i, Number((value >> BigInt(8 * i)) & 255n))
}

function floatOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
