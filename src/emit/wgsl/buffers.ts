// In: a kernel. Out: how WGSL declares each of its resources, and the text of every access. The one idea: a WGSL buffer
// has one element type, so it is chosen from all accesses together: vectors where the widest access is one, atomics
// where any access is atomic, words where elements are narrower than 32 bits. What does not fit is refused by name.
import { fail } from '../../base/index.ts'
import {
  bindingsOf,
  bytesOf,
  listsOf,
  placeOf,
  registerType,
  type Kernel,
  type MemoryType,
  type Resource,
  type Stmt,
} from '../../ir/index.ts'
import { quotient, remainderByPowerOfTwo, constantQuotient, unitIndex } from '../index-math.ts'
import { passedResources } from '../communicating-arrays.ts'
import { call, infix, primary, type Printer, type Text } from '../printer.ts'
import type { ResourcePlace, Value } from '../tree.ts'

export interface BufferLayout {
  readonly resource: Resource
  /** Name in the text. */
  readonly name: string
  /** Elements per array element: 1, 2 or 4. */
  readonly width: 1 | 2 | 4
  readonly atomic: boolean
  /** Elements of 1 or 2 bytes, four or two in a word; where threads may write a part of one, words are atomic. */
  readonly packed: boolean
  readonly uniform: boolean
  /** Accessed through functions `load_NAME` and `store_NAME` (see `hookTexts`). */
  readonly hooked: boolean
}

interface Access {
  readonly resource: string
  readonly type: MemoryType
  readonly width: number
  readonly atomic: boolean
  readonly writes: boolean
  readonly stmt: Stmt
}

function accessesOf(list: readonly Stmt[], into: Access[] = []): Access[] {
  for (const s of list) {
    if (s.kind === 'load')
      into.push({
        resource: s.address.resource,
        type: s.type,
        width: s.dst.length,
        atomic: false,
        writes: false,
        stmt: s,
      })
    if (s.kind === 'store')
      into.push({
        resource: s.address.resource,
        type: s.type,
        width: s.src.length,
        atomic: false,
        writes: true,
        stmt: s,
      })
    if (s.kind === 'atomic')
      into.push({ resource: s.address.resource, type: s.type, width: 1, atomic: true, writes: true, stmt: s })
    for (const inner of listsOf(s)) accessesOf(inner, into)
  }
  return into
}

/**
 * Barriers that must order global memory: what one thread wrote before such a barrier others may read behind it, so
 * that the last barrier before an access of such a resource does. All others order workgroup memory alone, which costs
 * less.
 */
export function storageBarriers(kernel: Kernel): ReadonlySet<Stmt> {
  const passed = passedResources(kernel),
    found = new Set<Stmt>()
  if (passed.size > 0) before(kernel.body, false, { exit: false, next: false }, passed, found)
  return found
}

/**
 * Whether an access of `passed` may come before a barrier, from the start of `list`, when it may `after` it; `around`:
 * the same where `break` and `continue` lead.
 */
function before(
  list: readonly Stmt[],
  after: boolean,
  around: { readonly exit: boolean; readonly next: boolean },
  passed: ReadonlySet<string>,
  found: Set<Stmt>,
): boolean {
  return list.reduceRight((live, s): boolean => {
    switch (s.kind) {
      case 'barrier':
        if (live) found.add(s)
        return false
      case 'load':
      case 'store':
      case 'atomic':
        return live || passed.has(s.address.resource)
      case 'if': {
        const other = before(s.else, live, around, passed, found)
        return before(s.then, live, around, passed, found) || other
      }
      case 'loop': {
        const turn = (again: boolean): boolean => {
          const next = before(s.continuing, again || live, { exit: live, next: again }, passed, found)
          return before(s.body, next, { exit: live, next }, passed, found)
        }
        return turn(turn(false)) || live
      }
      case 'break':
        return around.exit
      case 'continue':
        return around.next
      case 'return':
        return false
      case 'op':
      case 'builtin':
      case 'subgroup':
        return live
      case 'matrix': {
        const place = placeOf(s.step)
        return live || (place !== null && passed.has(place.resource))
      }
    }
  }, after)
}

/** WGSL shapes of all resources. Throws a `DiagnosticError` for what WGSL cannot express. */
export function shapesOf(
  kernel: Kernel,
  names: ReadonlyMap<string, string>,
  hooks: readonly string[] = [],
): ReadonlyMap<string, BufferLayout> {
  const accesses = accessesOf(kernel.body)
  const uniform = new Set(
    bindingsOf(kernel)
      .filter((b) => b.kind === 'uniform')
      .map((b) => b.resource.name),
  )
  return new Map(
    kernel.resources.map((resource) => {
      const own = accesses.filter((a) => a.resource === resource.name)
      own.forEach((a) => checkAccess(kernel, resource, a))
      const shape = shapeOf(resource, names.get(resource.name) ?? resource.name, own, uniform.has(resource.name))
      return [resource.name, hooks.includes(resource.name) ? hookedShape(kernel, shape, own) : shape]
    }),
  )
}

function checkAccess(kernel: Kernel, r: Resource, a: Access): void {
  const bytes = bytesOf[a.type]
  const refuse = (why: string): never =>
    fail(
      'wgsl.access',
      `kernel ${kernel.name}: ${why}`,
      a.stmt.at,
      'give the array elements of 32 bits, or use --target cuda',
    )
  if (bytes !== bytesOf[r.type])
    refuse(
      `'${r.name}' holds ${r.type} and is accessed as ${a.type}: WGSL cannot reinterpret a buffer in elements ` +
        `of another size`,
    )
  if (bytes < 4 && a.type !== r.type) refuse(`'${r.name}' holds ${r.type} and is accessed as ${a.type}`)
}

/**
 * Hooks see whole elements: the array's width is that of every access, or 1 when they differ, and nothing is
 * reinterpreted.
 */
function hookedShape(kernel: Kernel, shape: BufferLayout, accesses: readonly Access[]): BufferLayout {
  const plain =
    !shape.atomic && !shape.packed && !shape.uniform && accesses.every((a) => a.type === shape.resource.type)
  const width = accesses.every((a) => a.width === shape.width) ? shape.width : 1
  return plain
    ? { ...shape, width, hooked: true }
    : fail('wgsl.hook', `kernel ${kernel.name}: '${shape.name}' cannot be hooked: its accesses differ in type`)
}

/**
 * The functions through which hooked resources are accessed, one of each kind that the kernel may need. Whoever has the
 * text may replace `  return NAME[i];` and `  NAME[i] = v;`, which stand in it exactly so; `i` counts array elements.
 */
export function hookTexts(shapes: Iterable<BufferLayout>): readonly string[] {
  return [...shapes]
    .filter((s) => s.hooked)
    .map((s) =>
      s.resource.access === 'read'
        ? `fn load_${s.name}(i: u32) -> ${elementType(s)} {\n  return ${s.name}[i];\n}`
        : `fn store_${s.name}(i: u32, v: ${elementType(s)}) {\n  ${s.name}[i] = v;\n}`,
    )
}

function shapeOf(resource: Resource, name: string, accesses: readonly Access[], uniform: boolean): BufferLayout {
  const packed = bytesOf[resource.type] < 4 && resource.type !== 'f16'
  const part = (a: Access): boolean =>
    packed && a.writes && resource.space !== 'local' && (a.width * bytesOf[a.type]) % 4 !== 0
  const atomic = accesses.some((a) => a.atomic || part(a))
  const widest = Math.max(1, ...accesses.map((a) => (a.width === 3 ? 1 : a.width)))
  const width = uniform ? 4 : atomic || packed ? 1 : widest >= 4 ? 4 : widest >= 2 ? 2 : 1
  return { resource, name, width, atomic, packed, uniform, hooked: false }
}

/** Bytes of one array element in the text: buffers bound to `resource` should be a multiple of this. */
export function elementBytes(kernel: Kernel, resource: string): number {
  const shape = shapesOf(kernel, new Map()).get(resource)
  return shape ? (shape.packed ? 4 : shape.width * bytesOf[shape.resource.type]) : 4
}

/** The element type in the text. */
function elementType(s: BufferLayout): string {
  const base = s.packed ? 'u32' : s.resource.type
  if (s.atomic) return `atomic<${base === 'i32' ? 'i32' : 'u32'}>`
  return s.width === 1 ? base : `vec${s.width}<${base}>`
}

/** `array<T>` or `array<T, n>`; a count is rounded up to whole elements. */
export function arrayType(s: BufferLayout): string {
  const perElement = s.packed ? 4 / bytesOf[s.resource.type] : s.width
  const sized =
    s.resource.count !== null && (s.uniform || s.resource.space === 'shared' || s.resource.space === 'local')
  // sized: count is set
  return sized ? `array<${elementType(s)}, ${Math.ceil(s.resource.count! / perElement)}>` : `array<${elementType(s)}>`
}

/** `v` as `to`, both of 32 (or 16) bits. */
export function bitcastTo(to: string, from: string, v: Text): Text {
  return to === from ? v : call(`bitcast<${to}>`, v)
}

const moved = (place: ResourcePlace, bytes: number): ResourcePlace => ({ ...place, offset: place.offset + bytes })

/** A load of `width` elements of `type`. */
export function loadText(p: Printer, s: BufferLayout, type: MemoryType, width: number, place: ResourcePlace): Text {
  const bytes = bytesOf[type]
  if (s.hooked && s.resource.access === 'read' && width === s.width)
    return primary(`load_${s.name}(u32(${p.value(unitIndex(place, bytes * width)).text}))`)
  if (width > 1 && width === s.width) {
    const whole = primary(`${s.name}[${p.value(unitIndex(place, bytes * width)).text}]`)
    return bitcastTo(`vec${width}<${type}>`, `vec${width}<${s.resource.type}>`, whole)
  }
  if (s.packed && (width * bytes) % 4 === 0) return packedVector(p, s, type, width, place)
  const parts = Array.from({ length: width }, (_, i) => scalarLoad(p, s, type, moved(place, i * bytes)))
  return width === 1 ? parts[0]! : call(`vec${width}<${registerType(type)}>`, ...parts)
}

function scalarLoad(p: Printer, s: BufferLayout, type: MemoryType, place: ResourcePlace): Text {
  // elements are scalars, or the whole would have been loaded
  if (s.hooked && s.resource.access === 'read') return loadText(p, s, type, 1, place)
  if (s.packed) return packedLoad(p, s, type, place)
  if (s.atomic)
    return bitcastTo(
      type,
      s.resource.type === 'i32' ? 'i32' : 'u32',
      primary(`atomicLoad(&${elementText(p, s, place)})`),
    )
  return bitcastTo(type, s.resource.type, primary(elementText(p, s, place)))
}

/** The reference to one element. */
export function elementText(p: Printer, s: BufferLayout, place: ResourcePlace): string {
  const index = unitIndex(place, bytesOf[s.resource.type])
  if (s.width === 1) return `${s.name}[${p.value(index).text}]`
  const exact = constantQuotient(index, s.width)
  if (exact) return `${s.name}[${p.value(exact.quotient).text}].${'xyzw'[exact.rest]}`
  const rest = remainderByPowerOfTwo(index, s.width) as Value // not exact: a value
  return `${s.name}[${p.value(quotient(index, s.width)).text}][${p.value(rest).text}]`
}

/** The word that holds an element, and how many bits stand below the element in it. */
function wordOf(
  p: Printer,
  s: BufferLayout,
  type: MemoryType,
  place: ResourcePlace,
): { readonly word: string; readonly shift: Text } {
  const bits = 8 * bytesOf[type],
    perWord = 32 / bits
  const index = unitIndex(place, bytesOf[type]),
    rest = remainderByPowerOfTwo(index, perWord)
  const shift = typeof rest === 'number' ? primary(`${rest * bits}u`) : infix('*', p.value(rest), primary(`${bits}u`))
  return { word: `${s.name}[${p.value(quotient(index, perWord)).text}]`, shift }
}

const wordRead = (s: BufferLayout, word: string): Text => primary(s.atomic ? `atomicLoad(&${word})` : word)

/** Whole words, which a vector begins and ends with, and their elements from the lowest bits on. */
function packedVector(p: Printer, s: BufferLayout, type: MemoryType, width: number, place: ResourcePlace): Text {
  const bytes = bytesOf[type],
    bits = 8 * bytes,
    perWord = 4 / bytes,
    signed = type === 'i8' || type === 'i16',
    to = signed ? 'i32' : 'u32'
  const words = Array.from({ length: width / perWord }, (_, w) =>
    bitcastTo(to, 'u32', wordRead(s, wordOf(p, s, type, moved(place, 4 * w)).word)),
  )
  const each = Array.from({ length: width }, (_, i) => words[Math.floor(i / perWord)]!),
    shifts = (f: (n: number) => number): Text =>
      call(`vec${width}<u32>`, ...each.map((_, i) => primary(`${f(i % perWord) * bits}u`)))
  const all = call(`vec${width}<${to}>`, ...(words.length === 1 ? words : each)),
    last = perWord - 1
  if (signed)
    return infix(
      '>>',
      infix(
        '<<',
        all,
        shifts((n) => last - n),
      ),
      call(`vec${width}<u32>`, primary(`${32 - bits}u`)),
    )
  return infix(
    '&',
    infix(
      '>>',
      all,
      shifts((n) => n),
    ),
    call(`vec${width}<u32>`, primary(`${2 ** bits - 1}u`)),
  )
}

/** `extractBits` of the word that holds the element, sign-extending for signed types. */
function packedLoad(p: Printer, s: BufferLayout, type: MemoryType, place: ResourcePlace): Text {
  const { word, shift } = wordOf(p, s, type, place)
  const signed = type === 'i8' || type === 'i16',
    whole = wordRead(s, word)
  return call('extractBits', signed ? call('bitcast<i32>', whole) : whole, shift, primary(`${8 * bytesOf[type]}u`))
}

/**
 * Whole words are stored at once. In others the bits that change are turned over: nobody else writes this element
 * meanwhile, and whoever writes or reads the others of the word sees them as they are.
 */
function packedStore(
  p: Printer,
  s: BufferLayout,
  type: MemoryType,
  place: ResourcePlace,
  values: readonly Value[],
): string[] {
  const bytes = bytesOf[type],
    bits = 8 * bytes,
    perWord = 32 / bits
  const raw = (v: Value): Text => bitcastTo('u32', registerType(type), p.value(v))
  const put = (word: string, whole: Text): string =>
    s.atomic ? `atomicStore(&${word}, ${whole.text});` : `${word} = ${whole.text};`
  if (values.length % perWord === 0) {
    return Array.from({ length: values.length / perWord }, (_, w) => {
      const [first, ...others] = values.slice(w * perWord, (w + 1) * perWord)
      const whole = others.reduce<Text>(
        (all, v, i) => call('insertBits', all, raw(v), primary(`${(i + 1) * bits}u`), primary(`${bits}u`)),
        raw(first!),
      ) // perWord is at least 2
      return put(wordOf(p, s, type, moved(place, 4 * w)).word, whole)
    })
  }
  return values.map((v, i) => {
    const { word, shift } = wordOf(p, s, type, moved(place, i * bytes)),
      width = primary(`${bits}u`)
    if (!s.atomic) return put(word, call('insertBits', wordRead(s, word), raw(v), shift, width))
    const change = call(
      'extractBits',
      infix('^', call('extractBits', wordRead(s, word), shift, width), raw(v)),
      primary('0u'),
      width,
    )
    return `atomicXor(&${word}, ${infix('<<', change, shift).text});`
  })
}

/** Statements of a store. */
export function storeText(
  p: Printer,
  s: BufferLayout,
  type: MemoryType,
  place: ResourcePlace,
  values: readonly Value[],
): string[] {
  const bytes = bytesOf[type]
  if (s.hooked && s.resource.access !== 'read' && values.length > s.width)
    return values.flatMap((v, i) => storeText(p, s, type, moved(place, i * bytes), [v]))
  if (s.hooked && s.resource.access !== 'read') {
    const value = values.length > 1 ? vectorOf(p, type, values) : p.value(values[0]!) // a store has a value
    return [`store_${s.name}(u32(${p.value(unitIndex(place, bytes * s.width)).text}), ${value.text});`]
  }
  if (s.packed) return packedStore(p, s, type, place, values)
  if (values.length > 1 && values.length === s.width) {
    const index = p.value(unitIndex(place, bytes * s.width)).text
    return [
      `${s.name}[${index}] = ` +
        `${bitcastTo(`vec${s.width}<${s.resource.type}>`, `vec${s.width}<${type}>`, vectorOf(p, type, values)).text};`,
    ]
  }
  return values.map((v, i) => {
    const element = elementText(p, s, moved(place, i * bytes))
    if (s.atomic)
      return `atomicStore(&${element}, ${bitcastTo(s.resource.type === 'i32' ? 'i32' : 'u32', type, p.value(v)).text});`
    return `${element} = ${bitcastTo(s.resource.type, type, p.value(v)).text};`
  })
}

/** A vector of values; a whole group in order is its variable. */
function vectorOf(p: Printer, type: MemoryType, values: readonly Value[]): Text {
  const [first] = values
  if (
    first?.kind === 'component' &&
    first.group.regs.length === values.length &&
    values.every((v, i) => v.kind === 'component' && v.group === first.group && v.index === i)
  )
    return primary(p.nameOf(first.group))
  return call(`vec${values.length}<${registerType(type)}>`, ...values.map((v) => p.value(v)))
}
