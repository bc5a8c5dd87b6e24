// Tensor-core instructions. In: `wmma`, `mma`, `ldmatrix`, `stmatrix`, `movmatrix`. Out: loads and stores of fragments
// and a product by shuffles. The one idea: all fragments lie as the PTX ISA documents them for mma.m16n8k*: lane 4g + t
// holds row g (of B and 8×8 blocks: column g) and neighbours along t; what sm_90 code does for wmma is the same.
// Products count as the machine instructions that they become; how long tensor cores take is not modelled.
import {
  constOf,
  type Address,
  type MemoryType,
  type Operand as Value,
  type Reg,
  type Stmt,
} from '../../../ir/index.ts'
import type { Accesses } from './access.ts'
import { isType, type Instruction, type PtxOperand, type PtxType } from '../text/syntax.ts'
import { scalarOf, type PtxValues } from './values.ts'

interface Shape {
  readonly m: number
  readonly n: number
  readonly k: number
}
type Role = 'a' | 'b' | 'c'

/**
 * An 8-row piece of a fragment: its register holds elements (p0 + g, q0 + t × w + 0…w−1); p runs along lanes' g, q
 * along t.
 */
interface Piece {
  readonly p0: number
  readonly q0: number
}

/** How numbers of a type lie in registers. */
interface Element {
  readonly bytes: number /** Numbers in a register of A and B. */
  readonly w: number
  readonly memory: MemoryType
  readonly ptx: PtxType
}

const elements: Readonly<Record<string, Element>> = {
  f16: { bytes: 2, w: 2, memory: 'u16', ptx: 'b32' },
  bf16: { bytes: 2, w: 2, memory: 'u16', ptx: 'b32' },
  u8: { bytes: 1, w: 4, memory: 'u8', ptx: 'b32' },
  s8: { bytes: 1, w: 4, memory: 'u8', ptx: 'b32' },
  tf32: { bytes: 4, w: 1, memory: 'u32', ptx: 'b32' },
  f64: { bytes: 8, w: 1, memory: 'f64', ptx: 'f64' },
}

/** Lowers an instruction on matrices; false when it is none. */
export function matrixInstruction(v: PtxValues, accesses: Accesses, s: Instruction): boolean {
  const { name, mods } = s.opcode
  switch (name) {
    case 'wmma':
      if (mods[0] === 'mma') product(v, s, wmmaTypes(v, s))
      else fragment(v, accesses, s)
      return true
    case 'mma':
      product(v, s, mmaTypes(v, s))
      return true
    case 'ldmatrix':
    case 'stmatrix':
      blocks(v, accesses, s)
      return true
    case 'movmatrix':
      v.put(s.operands[0], 'b32', transpose(v, v.get(s.operands[1], 'b32')))
      return true
    default:
      return false
  }
}

const sides = new Set(['8', '16', '32'])

const refuse = (v: PtxValues, s: Instruction): never =>
  v.refuse(`${s.opcode.text.slice(0, 80)}, a tensor-core instruction of this type or shape, cannot be analysed`)

function shapeOf(v: PtxValues, s: Instruction): Shape {
  for (const word of s.opcode.mods) {
    const [, m, n, k] = /^m(\d+)n(\d+)k(\d+)$/.exec(word) ?? []
    if (m !== undefined && sides.has(m) && sides.has(n!) && Number(k) <= 64)
      return { m: Number(m), n: Number(n), k: Number(k) } // the pattern has three numbers
  }
  return refuse(v, s)
}

/** Row and column of a lane within an 8×8 block: ⌊lane ÷ 4⌋ and lane mod 4. */
function laneParts(v: PtxValues): { readonly g: Value; readonly t: Value } {
  const lane = v.temp('u32')
  v.push({ kind: 'builtin', dst: lane, name: 'lane' })
  return { g: v.op('shr', [lane, v.u32(2)]), t: v.op('and', [lane, v.u32(3)]) }
}

function shuffled(v: PtxValues, value: Value, lane: Value): Reg {
  const dst = v.temp(value.type)
  v.push({ kind: 'subgroup', op: 'shuffle', dst, args: [value, lane] })
  return dst
}

const times = (v: PtxValues, a: Value, n: number): Value => (n === 1 ? a : v.op('mul', [a, v.u32(n)]))

/** A block of 8×8 halves, two in a register, with rows and columns changed. */
function transpose(v: PtxValues, x: Value): Value {
  const { g, t } = laneParts(v)
  const column = v.op('shr', [g, v.u32(1)])
  const by = v.op('mul', [v.op('and', [g, v.u32(1)]), v.u32(16)])
  const [low, high] = [0, 1].map((e) => {
    const from = v.op('add', [v.op('mul', [v.op('add', [times(v, t, 2), v.u32(e)]), v.u32(4)]), column])
    return v.op('and', [v.op('shr', [shuffled(v, x, from), by]), v.u32(0xffff)])
  })
  return v.op('or', [low!, v.op('shl', [high!, v.u32(16)])]) // two halves
}

/** Whatever `emit` makes, executed and not counted; a value of it may be returned. */
function uncounted<T>(v: PtxValues, emit: () => T): T {
  let result: T | undefined
  for (const s of v.collect(() => {
    result = emit()
  }))
    v.push(free(s))
  return result as T // set when collect has run
}

function free(s: Stmt): Stmt {
  if (s.kind === 'if') return { ...s, free: true, then: s.then.map(free), else: s.else.map(free) }
  return s.kind === 'loop'
    ? { ...s, free: true, body: s.body.map(free), continuing: s.continuing.map(free) }
    : { ...s, free: true }
}

const itemsOf = (o: PtxOperand | undefined): readonly PtxOperand[] => (o?.kind === 'vector' ? o.items : o ? [o] : [])

// Loads and stores.

/** Pieces in the order of the registers: rows 8 apart first, as in mma.m16n8k*. */
function piecesOf(role: Role, { m, n, k }: Shape, w: number): Piece[] {
  const along = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
  const blocksOfK = k / (4 * w)
  if (role === 'b') return along(n / 8).flatMap((i) => along(blocksOfK).map((j) => ({ p0: 8 * i, q0: 4 * w * j })))
  const rows = m === 8 ? 1 : 2
  const inner = role === 'a' ? blocksOfK : n / 8
  const step = role === 'a' ? 4 * w : 8
  return along(m / 8 / rows).flatMap((tile) =>
    along(inner).flatMap((j) => along(rows).map((r) => ({ p0: 8 * (tile * rows + r), q0: step * j }))),
  )
}

/** `base` moved by a number of bytes that lanes differ in. */
function moved(v: PtxValues, base: Address, by: Value, more: number): Address {
  const wide = base.index.type === 'u64' || base.index.type === 'i64'
  const index =
    base.index.kind === 'const' && Number(base.index.value) === 0
      ? by
      : v.op('add', [base.index, wide ? v.convert(by, base.index.type) : v.bits(by, base.index.type)])
  return { ...base, index, offset: base.offset + more }
}

/** wmma.load and wmma.store. */
function fragment(v: PtxValues, accesses: Accesses, s: Instruction): void {
  const { mods } = s.opcode
  const role: Role = mods.includes('a') ? 'a' : mods.includes('b') ? 'b' : 'c'
  const shape = shapeOf(v, s)
  const type = mods.filter(isType).at(-1) ?? ''
  const stores = mods[0] === 'store'
  const address = s.operands.find((o) => o.kind === 'address')
  const registers = itemsOf(s.operands[stores ? 1 : 0])
  if (!address || (mods[0] !== 'load' && !stores)) return refuse(v, s)
  const along = role === 'b' ? mods.includes('col') : mods.includes('row')
  const stride = s.operands[2]
    ? v.get(s.operands[2], 'u32')
    : v.u32(along ? (role === 'c' ? shape.n : shape.k) : role === 'b' ? shape.n : shape.m)
  const base = accesses.address(address)
  const place: Place = { v, base, stride, along, ...laneParts(v) }
  if (role === 'c') return accumulator(s, place, piecesOf('c', shape, 2), type, registers, stores)
  const element = Object.hasOwn(elements, type) ? elements[type]! : refuse(v, s)
  if (shape.k % (4 * element.w) !== 0) return refuse(v, s)
  const list = piecesOf(role, shape, element.w)
  if (list.length > registers.length || list.length === 0) return refuse(v, s)
  const shared = mods.some((m) => m.split('::')[0] === 'shared')
  const byRows = element.bytes === 2 ? shared || !along : element.bytes === 1 && shared && along
  list.forEach((p, i) =>
    v.put(
      registers[i],
      element.ptx,
      byRows ? rowsOfBlock(place, p, element, shared ? i % 4 === 0 : true, shared) : loadPiece(place, p, element),
    ),
  )
  for (const rest of registers.slice(list.length)) v.put(rest, 'b32', v.op('copy', [v.u32(0)]))
}

interface Place {
  readonly v: PtxValues
  readonly base: Address /** Elements between neighbours along the other axis. */
  readonly stride: Value /** Whether q is contiguous in memory. */
  readonly along: boolean
  readonly g: Value
  readonly t: Value
}

/** Address of element (p0 + g, q0 + t × w + e). */
function elementAt(
  { v, base, stride, along, g, t }: Place,
  { p0, q0 }: Piece,
  w: number,
  e: number,
  bytes: number,
): Address {
  const row = (n: Value, n0: number): Value =>
    v.op('mul', [n0 === 0 ? n : v.op('add', [n, v.u32(n0)]), v.op('mul', [stride, v.u32(bytes)])])
  return along
    ? moved(v, base, v.op('add', [row(g, p0), times(v, t, w * bytes)]), (q0 + e) * bytes)
    : moved(v, base, v.op('add', [row(times(v, t, w), q0 + e), times(v, g, bytes)]), p0 * bytes)
}

const counts = (kind: 'load' | 'store', first = true): Pick<Stmt, 'counts' | 'free'> =>
  first ? { counts: { [kind]: 1 } } : { free: true }

function loadPiece(place: Place, p: Piece, { bytes, w, memory, ptx }: Element): Value {
  const { v } = place
  const load = (type: MemoryType, at: Address, to: PtxType): Reg => {
    const dst = v.temp(scalarOf(to))
    v.push({ kind: 'load', dst: [dst], type, address: at, ...counts('load') })
    return dst
  }
  if (w === 1) return load(memory, elementAt(place, p, w, 0, bytes), ptx)
  if (place.along) return load('u32', elementAt(place, p, w, 0, bytes), 'b32')
  return Array.from({ length: w }, (_, e): Value => {
    const x = load(memory, elementAt(place, p, w, e, bytes), 'u32')
    return e === 0 ? x : v.op('shl', [x, v.u32(8 * bytes * e)])
  }).reduce((a, b) => v.op('or', [a, b]))
}

/**
 * 16 bytes of each of 8 rows. From shared memory as by ldmatrix, four blocks an instruction, which transposes halves
 * that lie the other way; from global memory an instruction of its own does.
 */
function rowsOfBlock(place: Place, p: Piece, { w, bytes }: Element, first: boolean, shared: boolean): Value {
  const { v } = place
  const dst = v.temp('u32')
  const turned: Place = { ...place, along: true }
  const from = place.along ? elementAt(place, p, w, 0, bytes) : elementAt(turned, { p0: p.q0, q0: p.p0 }, 2, 0, 2)
  v.push({ kind: 'load', dst: [dst], type: 'u32', address: from, ...counts('load', first) })
  if (place.along) return dst
  if (!shared) v.push({ kind: 'op', op: 'copy', dst: v.temp('u32'), args: [v.u32(0)], free: true, counts: { move: 1 } })
  return uncounted(v, () => transpose(v, dst))
}

/** C and D: two neighbours of a row are two registers, or of f16 one. */
function accumulator(
  s: Instruction,
  place: Place,
  list: readonly Piece[],
  type: string,
  registers: readonly PtxOperand[],
  stores: boolean,
): void {
  const { v } = place
  const half = type === 'f16'
  if (type !== 'f32' && type !== 's32' && type !== 'f64' && !half) return refuse(v, s)
  const ptx: PtxType = half ? 'b32' : type
  const bytes = half ? 2 : type === 'f64' ? 8 : 4
  const memory: MemoryType =
    type === 's32' ? 'i32' : type === 'f32' ? 'f32' : type === 'f64' ? 'f64' : place.along ? 'u32' : 'u16'
  if (registers.length !== list.length * (half ? 1 : 2)) return refuse(v, s)
  list.forEach((p, i) => {
    const own = half ? [registers[i]!] : [registers[2 * i]!, registers[2 * i + 1]!] // as many as checked
    if (half && !place.along) return refuse(v, s)
    const pairs: readonly (readonly [Address, readonly PtxOperand[]])[] = place.along
      ? [[elementAt(place, p, 2, 0, bytes), own]]
      : own.map((o, e) => [elementAt(place, p, 2, e, bytes), [o]] as const)
    for (const [address, some] of pairs) {
      if (stores) {
        v.push({ kind: 'store', src: some.map((o) => v.get(o, ptx)), type: memory, address, ...counts('store') })
        continue
      }
      const dst = some.map(() => v.temp(scalarOf(ptx)))
      v.push({ kind: 'load', dst, type: memory, address, ...counts('load') })
      some.forEach((o, e) => v.put(o, ptx, dst[e]!)) // as many
    }
  })
}

/**
 * ldmatrix and stmatrix: lane 8i + r holds the address of row r of block i; a lane's register of a block is 4 bytes of
 * a row.
 */
function blocks(v: PtxValues, accesses: Accesses, s: Instruction): void {
  const { name, mods } = s.opcode
  const stores = name === 'stmatrix'
  const address = s.operands.find((o) => o.kind === 'address')
  const registers = itemsOf(s.operands[stores ? 1 : 0])
  const count = mods.includes('x4') ? 4 : mods.includes('x2') ? 2 : 1
  if (!address || !mods.includes('m8n8') || !mods.includes('b16') || registers.length !== count) return refuse(v, s)
  const base = accesses.address(address)
  const { g, t } = laneParts(v)
  const trans = mods.includes('trans')
  const values = stores
    ? registers.map((o) => {
        const x = v.get(o, 'b32')
        return trans ? uncounted(v, () => transpose(v, x)) : x
      })
    : []
  const loaded = registers.map((_, i): Value => {
    const row = uncounted(v, () => shuffled(v, base.index, v.op('add', [g, v.u32(8 * i)])))
    const at = moved(v, { ...base, index: row }, times(v, t, 4), 0)
    const dst = v.temp('u32')
    if (stores)
      // one for each register
      v.push({ kind: 'store', src: [values[i]!], type: 'u32', address: at, ...counts('store', i === 0) })
    else v.push({ kind: 'load', dst: [dst], type: 'u32', address: at, ...counts('load', i === 0) })
    return dst
  })
  if (!stores)
    // one for each register
    registers.forEach((o, i) => v.put(o, 'b32', trans ? uncounted(v, () => transpose(v, loaded[i]!)) : loaded[i]!))
}

// Products.

interface Types {
  readonly a: string
  readonly b: string
  readonly c: string
  readonly d: string
}

/** `.f32.f32`: D and C of a product of halves; else D, A, B, C. */
function wmmaTypes(v: PtxValues, s: Instruction): Types {
  const types = s.opcode.mods.filter(isType)
  if (types.length === 2) return { d: types[0]!, a: 'f16', b: 'f16', c: types[1]! } // two of them
  return types.length === 4 ? { d: types[0]!, a: types[1]!, b: types[2]!, c: types[3]! } : refuse(v, s) // four of them
}

function mmaTypes(v: PtxValues, s: Instruction): Types {
  const types = s.opcode.mods.filter(isType)
  const { m, n, k } = shapeOf(v, s)
  if (
    types.length !== 4 ||
    (m === 8 && n === 8 && k === 4 && types[1] === 'f16') ||
    !s.opcode.mods.includes('row') ||
    !s.opcode.mods.includes('col') ||
    s.opcode.mods[0] !== 'sync'
  )
    return refuse(v, s)
  return { d: types[0]!, a: types[1]!, b: types[2]!, c: types[3]! } // four of them
}

/** D = A × B + C: row g of A comes from the lanes 4g … 4g + 3, column 2t + j of B from those of that number. */
function product(v: PtxValues, s: Instruction, types: Types): void {
  const shape = shapeOf(v, s)
  const { mods } = s.opcode
  const element = Object.hasOwn(elements, types.a) ? elements[types.a]! : refuse(v, s)
  const eight = element.w === 4
  if (
    (types.a !== types.b && !(eight && (types.b === 'u8' || types.b === 's8'))) ||
    mods.includes('satfinite') ||
    mods.includes('xor') ||
    mods.includes('and')
  )
    return refuse(v, s)
  if (
    eight !== (types.c === 's32') ||
    (types.a === 'f64') !== (types.c === 'f64') ||
    (types.c === 'f16' && types.a !== 'f16') ||
    !(types.d === types.c || ((types.c === 'f16' || types.c === 'f32') && (types.d === 'f16' || types.d === 'f32'))) ||
    !['f16', 'f32', 's32', 'f64'].includes(types.c)
  )
    return refuse(v, s)
  if (shape.k % (4 * element.w) !== 0) return refuse(v, s)
  const [aPieces, bPieces, cPieces] = [
    piecesOf('a', shape, element.w),
    piecesOf('b', shape, element.w),
    piecesOf('c', shape, 2),
  ]
  const [d, a, b, c] = s.operands.map(itemsOf)
  const pairs = (type: string): number => cPieces.length * (type === 'f16' ? 1 : 2)
  if (
    !a ||
    !b ||
    !c ||
    !d ||
    aPieces.length > a.length ||
    bPieces.length > b.length ||
    pairs(types.c) !== c.length ||
    pairs(types.d) !== d.length
  )
    return refuse(v, s)
  const sums = uncounted(v, () => {
    const start = cPieces.flatMap((_, i) =>
      types.c === 'f16'
        ? halves(v, v.get(c[i], 'b32'))
        : [c[2 * i], c[2 * i + 1]].map((o) => v.get(o, types.c as PtxType)),
    ) // checked: f32, s32 or f64
    const sums = start.map((x) => v.op('copy', [x]))
    const left = aPieces.map((_, i) => numbers(v, v.get(a[i], element.ptx), types.a))
    const right = bPieces.map((_, i) => numbers(v, v.get(b[i], element.ptx), types.b))
    const { g, t } = laneParts(v)
    multiply(v, { g, t }, { aPieces, bPieces, cPieces }, left, right, sums)
    return sums
  })
  v.push({
    kind: 'op',
    op: 'copy',
    dst: v.temp('u32'),
    args: [v.u32(0)],
    free: true,
    counts: {
      [eight ? 'int' : types.a === 'f64' ? 'fp64' : 'fp32']: Math.max(
        1,
        (shape.m * shape.n) / (types.a === 'tf32' && s.opcode.name === 'wmma' ? 64 : 128),
      ),
    },
  })
  v.notes.add(
    'tensor-core products count as fp32, fp64 or int instructions, one for each of the machine; how long ' +
      'tensor cores take is not modelled',
  )
  uncounted(v, () =>
    cPieces.forEach((_, i) => {
      const [x, y] = [sums[2 * i]!, sums[2 * i + 1]!] // two for each piece
      if (types.d === 'f16')
        v.put(
          d[i],
          'b32',
          v.op('or', [v.halfBits(v.convert(x, 'f16')), v.op('shl', [v.halfBits(v.convert(y, 'f16')), v.u32(16)])]),
        )
      else {
        v.put(d[2 * i], types.d as PtxType, x)
        v.put(d[2 * i + 1], types.d as PtxType, y)
      } // checked with C
    }),
  )
}

/** For each of the four lanes of a row: its numbers of A, those of two columns of B, into the sums of this lane. */
function multiply(
  v: PtxValues,
  { g, t }: { readonly g: Value; readonly t: Value },
  { aPieces, bPieces, cPieces }: Readonly<Record<'aPieces' | 'bPieces' | 'cPieces', readonly Piece[]>>,
  left: readonly (readonly Value[])[],
  right: readonly (readonly Value[])[],
  sums: readonly Reg[],
): void {
  const turn = v.op('copy', [v.u32(0)])
  const body = v.collect(() => {
    const rowLane = v.op('add', [times(v, g, 4), turn])
    const columns = [0, 1].map((j) =>
      v.op('add', [v.op('mul', [v.op('add', [times(v, t, 2), v.u32(j)]), v.u32(4)]), turn]),
    )
    const a = left.map((list) => list.map((x) => shuffled(v, x, rowLane)))
    const b = right.map((list) => columns.map((lane) => list.map((x) => shuffled(v, x, lane))))
    cPieces.forEach((piece, n) =>
      [0, 1].forEach((j) => {
        const sum = sums[2 * n + j]! // two for each piece
        aPieces.forEach((p, i) =>
          bPieces.forEach((q, k) => {
            if (p.p0 !== piece.p0 || q.p0 !== piece.q0 || p.q0 !== q.q0) return
            a[i]!.forEach((x, e) => addProduct(v, sum, x, b[k]![j]![e]!)) // as many
          }),
        )
      }),
    )
    v.op('add', [turn, v.u32(1)], 'u32', turn)
    v.push({ kind: 'if', condition: v.op('ge', [turn, v.u32(4)]), then: [{ kind: 'break' }], else: [] })
  })
  v.push({ kind: 'loop', body, continuing: [] })
}

function addProduct(v: PtxValues, sum: Reg, x: Value, y: Value): void {
  if (sum.type === 'f32' || sum.type === 'f64') v.op('fma', [x, y, sum], sum.type, sum)
  else v.op('add', [sum, v.op('mul', [x, y])], sum.type, sum)
}

const halves = (v: PtxValues, x: Value): Value[] => [
  v.halfNumber(v.op('and', [x, v.u32(0xffff)])),
  v.halfNumber(v.op('shr', [x, v.u32(16)])),
]

/** The numbers in a register, as what products are summed in. */
function numbers(v: PtxValues, x: Value, type: string): readonly Value[] {
  switch (type) {
    case 'f16':
      return halves(v, x)
    case 'bf16':
      return [v.bits(v.op('shl', [x, v.u32(16)]), 'f32'), v.bits(v.op('and', [x, v.u32(0xffff0000)]), 'f32')]
    case 'tf32':
      return [v.bits(v.op('and', [x, v.u32(0xffffe000)]), 'f32')]
    case 'u8':
      return [0, 8, 16, 24].map((by) => v.bits(v.op('and', [v.op('shr', [x, v.u32(by)]), v.u32(255)]), 'i32'))
    case 's8':
      return [0, 8, 16, 24].map((by) =>
        v.op('shr', [v.op('shl', [v.bits(x, 'i32'), constOf('i32', 24 - by)]), constOf('i32', 24)]),
      )
    default:
      return [x]
  }
}
