// Mangled names of kernels (Itanium C++ ABI) and names as people write them. In: a symbol, or what was typed. Out: the
// path of a function with its template arguments, and whether both mean the same. The one idea: a parser of the names
// that kernels have (types, integers, flags, functions as arguments, packs, substitutions); what is none of these has
// no written name, and the mangled one stays. The types of the function's own parameters are not read.

/**
 * A function as its source would name it: `ns::k<float, 32>`. Null when the symbol says something that is not read
 * here.
 */
export function writtenName(symbol: string): string | null {
  if (!symbol.startsWith('_Z')) return symbol
  const parser = new Parser(symbol, 2)
  try {
    return parser.name()
  } catch (e) {
    if (e instanceof Unread) return null
    throw e
  }
}

/**
 * Whether `written` names a function: its path from any namespace on, and as many of its template arguments as are
 * given.
 */
export function means(written: string, symbol: string): boolean {
  const full = writtenName(symbol)
  if (full === null) return false
  const wanted = parts(written),
    has = parts(full)
  if (wanted === null || has === null || !`::${has.path}`.endsWith(`::${wanted.path}`)) return false
  return (
    wanted.args.length <= has.args.length &&
    wanted.args.every((a, i) => a === has.args[i] || has.args[i]!.endsWith(`::${a}`))
  ) // no longer than it
}

/** A name and its outermost template arguments, in one spelling. */
function parts(name: string): { path: string; args: string[] } | null {
  const text = name.replace(/\s+/g, ' ').trim().replace(/^::/, ''),
    open = text.indexOf('<')
  if (open < 0) return { path: text.replace(/ /g, ''), args: [] }
  if (!text.endsWith('>')) return null
  const args: string[] = []
  let depth = 0,
    from = open + 1
  for (let at = from; at < text.length; at++) {
    const c = text[at]!,
      isLast = at === text.length - 1
    if (depth === 0 && (c === ',' || isLast)) {
      args.push(spelling(text.slice(from, at)))
      from = at + 1
    } else if (isLast) return null
    else if ('<({['.includes(c)) depth++
    else if ('>)}]'.includes(c)) depth--
  }
  return { path: text.slice(0, open).replace(/ /g, ''), args: args.filter((a) => a !== '') }
}

const aliases: Readonly<Record<string, string>> = {
  unsigned: 'unsigned int',
  uint: 'unsigned int',
  uint32_t: 'unsigned int',
  int32_t: 'int',
  uint8_t: 'unsigned char',
  uchar: 'unsigned char',
  int8_t: 'signed char',
  uint16_t: 'unsigned short',
  ushort: 'unsigned short',
  int16_t: 'short',
  uint64_t: 'unsigned long',
  size_t: 'unsigned long',
  int64_t: 'long',
  half: '__half',
  half2: '__half2',
  nv_bfloat16: '__nv_bfloat16',
}

/** One spelling of a type or number: without spaces that say nothing, aliases and suffixes resolved, flags as words. */
function spelling(argument: string): string {
  const text = argument
    .trim()
    .replace(/^(std|::std)::(?=u?int\d+_t$|size_t$)/, '')
    .replace(/^&/, '') // of a function as an argument, & says nothing
  const number = /^\(?(?:[\w ]+\))?(-?(?:0x[\da-f]+|\d+))[ul]*$/i.exec(text)?.[1]
  if (number !== undefined) return String(Number(number))
  if (text === 'true' || text === 'false') return text === 'true' ? '1' : '0'
  const worded = text.replace(/\b\w+\b/g, (w) =>
    Object.hasOwn(aliases, w) && !/\bunsigned (int|char|short|long)\b/.test(text) ? aliases[w]! : w,
  )
  return worded.replace(/ ?([*&,<>:()]) ?/g, '$1')
}

class Unread extends Error {}

const builtins: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  z: '...',
}
/** Two letters, `D` first. */
const later: Readonly<Record<string, string>> = {
  h: '_Float16',
  n: 'decltype(nullptr)',
  i: 'char32_t',
  s: 'char16_t',
  u: 'char8_t',
}

/** Nested names, types and arguments beyond which a symbol is not read. */
const deepest = 60

class Parser {
  private readonly text: string
  private at: number
  private depth = 0
  /** What `S_`, `S0_` … stand for, in the order in which it was first written. */
  private readonly known: string[] = []

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  private next(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  private until(end: string, each: () => string): string[] {
    const list: string[] = []
    while (!this.next(end)) list.push(each())
    return list
  }

  private keep(name: string): string {
    this.known.push(name)
    return name
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > deepest) throw new Unread()
    const result = read()
    this.depth--
    return result
  }

  /** A name, with its template arguments. */
  name(): string {
    return this.deeper(() => {
      if (this.next('N')) return this.nested()
      if (this.text[this.at] === 'S' && this.text[this.at + 1] !== 't') {
        const known = this.substitution()
        return this.text[this.at] === 'I' ? known + this.args() : known
      }
      const plain = this.next('St') ? `std::${this.source()}` : this.source()
      if (this.text[this.at] !== 'I') return plain
      this.keep(plain)
      return plain + this.args()
    })
  }

  private nested(): string {
    while (/[KVrRO]/.test(this.text[this.at] ?? '')) this.at++
    let path = ''
    for (;;) {
      if (this.next('E')) {
        this.known.pop()
        return path
      } // the whole is the caller's to keep
      if (this.text[this.at] === 'I') path = this.keep(path + this.args())
      else if (path === '' && this.text[this.at] === 'S' && this.text[this.at + 1] !== 't') path = this.substitution()
      else {
        const more = path === '' && this.next('St') ? `std::${this.source()}` : this.source()
        path = this.keep(path === '' ? more : `${path}::${more}`)
      }
    }
  }

  /** A length and as many letters; of what has no name (`_GLOBAL__N_…`), what people call it. */
  private source(): string {
    this.next('L')
    const digits = /^\d{1,4}/.exec(this.text.slice(this.at, this.at + 4))?.[0]
    if (digits === undefined) throw new Unread()
    this.at += digits.length
    const name = this.text.slice(this.at, this.at + Number(digits))
    if (name.length < Number(digits)) throw new Unread()
    this.at += name.length
    while (this.next('B')) this.source()
    return name.startsWith('_GLOBAL__N_') || name.startsWith('_INTERNAL_') ? '(anonymous namespace)' : name
  }

  private substitution(): string {
    const short = /^S([abiosd])/.exec(this.text.slice(this.at, this.at + 2))?.[1]
    if (short !== undefined) throw new Unread() // std::string and its like
    const found = /^S([\dA-Z]*)_/.exec(this.text.slice(this.at, this.at + 8))
    if (!found) throw new Unread()
    this.at += found[0].length
    const known = this.known[found[1] === '' ? 0 : parseInt(found[1]!, 36) + 1] // the pattern has a group
    if (known === undefined) throw new Unread()
    return known
  }

  private args(): string {
    this.next('I')
    return `<${this.until('E', () => this.argument())
      .filter((a) => a !== '')
      .join(', ')}>`
  }

  private argument(): string {
    return this.deeper(() => {
      if (this.next('J')) return this.until('E', () => this.argument()).join(', ')
      if (this.next('X')) {
        if (!this.next('adL_Z')) throw new Unread()
        return this.address()
      }
      if (this.next('L_Z')) return this.address(1)
      if (!this.next('L')) return this.type()
      const type = this.type()
      const digits = /^(n?)(\d+)E/.exec(this.text.slice(this.at, this.at + 24))
      if (!digits) throw new Unread()
      this.at += digits[0].length
      return type === 'bool'
        ? String(digits[2] === '1')
        : `${type.includes('::') || type === 'char' ? `(${type})` : ''}${digits[1] === '' ? '' : '-'}${digits[2]}`
    })
  }

  /** A function as an argument: its name; its own parameters are read over. */
  private address(ends = 2): string {
    const name = this.name()
    for (let n = 0; n < 64 && this.text[this.at] !== 'E'; n++) this.type()
    for (let n = 0; n < ends; n++) if (!this.next('E')) throw new Unread()
    return `&${name}`
  }

  private type(): string {
    return this.deeper(() => {
      const c = this.text[this.at] ?? '',
        rest = this.text.slice(this.at)
      if (Object.hasOwn(builtins, c)) {
        this.at++
        return builtins[c]!
      }
      if (this.next('DF16_')) return '_Float16'
      if (this.next('DF16b')) return '__bf16'
      if (c === 'D' && Object.hasOwn(later, rest[1] ?? '')) {
        this.at += 2
        return later[rest[1]!]!
      }
      if (this.next('P')) return this.keep(`${this.type()}*`)
      if (this.next('R')) return this.keep(`${this.type()}&`)
      if (this.next('O')) return this.keep(`${this.type()}&&`)
      if (this.next('K')) {
        const t = this.type()
        return this.keep(t.endsWith('*') ? `${t} const` : `const ${t}`)
      }
      if (this.next('V')) return this.keep(`volatile ${this.type()}`)
      if (c === 'S' && rest[1] !== 't') {
        const known = this.substitution()
        return this.text[this.at] === 'I' ? this.keep(known + this.args()) : known
      }
      if (/[\dNS]/.test(c)) return this.keep(this.name())
      throw new Unread()
    })
  }
}
