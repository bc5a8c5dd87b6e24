// In: a kernel as the walk made it. Out: the same computation with fewer instructions, as any compiler of WGSL would
// have it, so that counts are not of our making. The one idea: a register that is assigned once is a value. Copies of
// values are replaced, a result that is only copied into a variable is computed there, a product that is only added
// becomes an fma (the reference rounds it twice, so nothing changes), and what nobody reads is dropped. Loads always
// stay.
import { same } from '../../base/index.ts'
import {
  definesOf,
  kernelIR,
  listsOf,
  mapUses,
  pass,
  usesOf,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
} from '../../ir/index.ts'

// Before:
//
//   kernel scale block 32 1 1
//   global x: f32[*] read-write
//   reg i.0: u32
//   reg block.1: u32
//   reg v.2: f32
//   reg product.3: f32
//   reg sum.4: f32
//   {
//     i.0 = builtin threadIdx.x
//     block.1 = builtin blockIdx.y
//     v.2 = load f32 x[i.0 * 4 + 0]
//     product.3 = mul v.2, f32:2
//     sum.4 = add product.3, f32:1
//     store f32 x[i.0 * 4 + 0] = sum.4
//   }
//
// After:
//
//   kernel scale block 32 1 1
//   global x: f32[*] read-write
//   reg i.0: u32
//   reg block.1: u32
//   reg v.2: f32
//   reg product.3: f32
//   reg sum.4: f32
//   {
//     i.0 = builtin threadIdx.x
//     v.2 = load f32 x[i.0 * 4 + 0]
//     sum.4 = fma v.2, f32:2, f32:1
//     store f32 x[i.0 * 4 + 0] = sum.4
//   }
export const simplification = /* @__PURE__ */ pass<Kernel>({
  name: 'simplification',
  summary:
    'copies of values go, results are computed where they are wanted, a product that is only added is an fma, and ' +
    'what nobody reads is dropped',
  of: kernelIR,
  run: simplified,
})

// Before:
//
//   kernel scale block 32 1 1
//   global x: f32[*] read-write
//   reg block.0: u32
//   reg i.1: u32
//   reg v.2: f32
//   {
//     i.1 = builtin threadIdx.x
//     v.2 = load f32 x[i.1 * 4 + 0]
//     store f32 x[i.1 * 4 + 0] = v.2
//   }
//
// After:
//
//   kernel scale block 32 1 1
//   global x: f32[*] read-write
//   reg i.0: u32
//   reg v.1: f32
//   {
//     i.0 = builtin threadIdx.x
//     v.1 = load f32 x[i.0 * 4 + 0]
//     store f32 x[i.0 * 4 + 0] = v.1
//   }
export const registerNumbering = /* @__PURE__ */ pass<Kernel>({
  name: 'register-numbering',
  summary: 'registers that are left are numbered from 0 in the order of their first uses',
  of: kernelIR,
  run: renumber,
})

/** Rounds of changes, each of which may make the next one possible. */
const mostRounds = 8

/** Makes the four changes until none applies. */
function simplified(kernel: Kernel): Kernel {
  let body = kernel.body
  for (let round = 0; round < mostRounds; round++) {
    const next = oneRound(body)
    if (next === body) break
    body = next
  }
  return body === kernel.body ? kernel : { ...kernel, body }
}

interface Facts {
  readonly defs: Map<number, number>
  readonly uses: Map<number, number>
  changed: boolean
}

function oneRound(body: readonly Stmt[]): readonly Stmt[] {
  const facts: Facts = { defs: new Map(), uses: new Map(), changed: false }
  count(body, facts)
  const aliases = new Map<number, Operand>()
  findAliases(body, facts, aliases)
  const next = list(rename(body, aliases), { ...facts, ...recount(body, aliases, facts) })
  return facts.changed || next.changed || aliases.size > 0 ? next.body : body
}

/** Counts after aliases are replaced. */
function recount(
  body: readonly Stmt[],
  aliases: ReadonlyMap<number, Operand>,
  facts: Facts,
): Pick<Facts, 'defs' | 'uses'> {
  if (aliases.size === 0) return facts
  const fresh: Facts = { defs: new Map(), uses: new Map(), changed: false }
  count(rename(body, aliases), fresh)
  return fresh
}

const bump = (m: Map<number, number>, id: number): void => {
  m.set(id, (m.get(id) ?? 0) + 1)
}

function count(body: readonly Stmt[], f: Facts): void {
  for (const s of body) {
    for (const r of definesOf(s)) bump(f.defs, r.id)
    for (const o of usesOf(s)) if (o.kind === 'reg') bump(f.uses, o.id)
    for (const inner of listsOf(s)) count(inner, f)
  }
}

const isValue = (o: Operand, f: Facts): boolean => o.kind !== 'reg' || f.defs.get(o.id) === 1

/** Copies of values, and values of `copy` whose source is assigned once: x = copy v. */
function findAliases(body: readonly Stmt[], f: Facts, aliases: Map<number, Operand>): void {
  for (const s of body) {
    if (s.kind === 'op' && s.op === 'copy' && f.defs.get(s.dst.id) === 1 && isValue(s.args[0]!, f))
      aliases.set(s.dst.id, s.args[0]!)
    for (const inner of listsOf(s)) findAliases(inner, f, aliases)
  }
}

function resolve(o: Operand, aliases: ReadonlyMap<number, Operand>): Operand {
  let at = o
  for (let i = 0; i < 1000 && at.kind === 'reg'; i++) {
    const next = aliases.get(at.id)
    if (!next) return at
    at = next
  }
  return at
}

function rename(body: readonly Stmt[], aliases: ReadonlyMap<number, Operand>): readonly Stmt[] {
  if (aliases.size === 0) return body
  return body.map((s) =>
    mapUses(
      s,
      (o) => resolve(o, aliases),
      (inner) => rename(inner, aliases),
    ),
  )
}

/** One list: dead statements go, copies into variables move up, products join sums. */
function list(body: readonly Stmt[], f: Facts): { body: readonly Stmt[]; changed: boolean } {
  let changed = false
  const out: Stmt[] = []
  for (const s of body) {
    if (isDead(s, f)) {
      changed = true
      continue
    }
    const inner = nested(s, f)
    if (inner !== s) changed = true
    if (inner.kind === 'op' && inner.op === 'copy' && moveUp(out, inner, f)) {
      changed = true
      continue
    }
    const joined = inner.kind === 'op' && inner.op === 'add' ? joinProduct(out, inner, f) : null
    if (joined) changed = true
    out.push(joined ?? inner)
  }
  return { body: changed ? out : body, changed }
}

function nested(s: Stmt, f: Facts): Stmt {
  if (s.kind === 'if') {
    const [a, b] = [list(s.then, f), list(s.else, f)]
    return a.changed || b.changed ? { ...s, then: a.body, else: b.body } : s
  }
  if (s.kind !== 'loop') return s
  const [a, b] = [list(s.body, f), list(s.continuing, f)]
  return a.changed || b.changed ? { ...s, body: a.body, continuing: b.body } : s
}

function isDead(s: Stmt, f: Facts): boolean {
  if (s.kind === 'if') return s.then.length === 0 && s.else.length === 0
  return (s.kind === 'op' || s.kind === 'builtin') && (f.uses.get(s.dst.id) ?? 0) === 0
}

/** Statements that are searched backwards for an equal one; farther ones are rarely equal. */
const window = 24

const mentions = (s: Stmt, id: number): boolean =>
  definesOf(s).some((r) => r.id === id) || usesOf(s).some((o) => o.kind === 'reg' && o.id === id)
const defines = (s: Stmt, o: Operand): boolean => o.kind === 'reg' && definesOf(s).some((r) => r.id === o.id)

/** v = copy t, where t is only this: t's definition assigns v, when nothing between them touches v. */
function moveUp(out: Stmt[], copy: Extract<Stmt, { kind: 'op' }>, f: Facts): boolean {
  const [t] = copy.args
  if (t?.kind !== 'reg' || f.defs.get(t.id) !== 1 || f.uses.get(t.id) !== 1) return false
  for (let j = out.length - 1; j >= 0 && j >= out.length - window; j--) {
    const s = out[j]!
    if (definesOf(s).some((r) => r.id === t.id)) {
      const moved = retarget(s, t.id, copy.dst)
      if (!moved) return false
      out[j] = moved
      f.uses.set(t.id, 0)
      return true
    }
    if (s.kind === 'if' || s.kind === 'loop' || mentions(s, copy.dst.id)) return false
  }
  return false
}

function retarget(s: Stmt, id: number, to: Reg): Stmt | null {
  switch (s.kind) {
    case 'op':
    case 'subgroup':
    case 'builtin':
      return { ...s, dst: to }
    case 'atomic':
      return { ...s, dst: to }
    case 'load': {
      const clash =
        s.dst.some((r) => r.id === to.id) || (s.address.index.kind === 'reg' && s.address.index.id === to.id)
      return clash ? null : { ...s, dst: s.dst.map((r) => (r.id === id ? to : r)) }
    }
    case 'store':
    case 'matrix':
    case 'barrier':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return null
  }
}

/** a·b + c, where the product is only this, in f32 or f16. */
function joinProduct(out: Stmt[], sum: Extract<Stmt, { kind: 'op' }>, f: Facts): Stmt | null {
  for (const [i, product] of sum.args.entries()) {
    if (
      product.kind !== 'reg' ||
      (product.type !== 'f32' && product.type !== 'f16') ||
      f.defs.get(product.id) !== 1 ||
      f.uses.get(product.id) !== 1
    )
      continue
    const at = findProduct(out, product, f)
    if (at === null || out[at]!.free !== sum.free) continue
    const s = out[at] as Extract<Stmt, { kind: 'op' }> // findProduct looks for these
    out.splice(at, 1)
    return { ...sum, op: 'fma', args: [...s.args, sum.args[1 - i]!] }
  }
  return null
}

/** Where the product is made, when its factors are still the same at the end of `out`. */
function findProduct(out: readonly Stmt[], product: Reg, f: Facts): number | null {
  for (let j = out.length - 1; j >= 0 && j >= out.length - window; j--) {
    const s = out[j]!
    if (s.kind === 'op' && s.dst.id === product.id) {
      const between = out.slice(j + 1)
      const steady =
        s.op === 'mul' &&
        s.args.every(
          (a) => isValue(a, f) || !between.some((b) => defines(b, a) || b.kind === 'if' || b.kind === 'loop'),
        )
      return steady ? j : null
    }
  }
  return null
}

/** Registers that are left, dense from 0; the same kernel where they are. */
function renumber(kernel: Kernel): Kernel {
  const map = new Map<number, Reg>()
  const reg = (r: Reg): Reg => {
    let known = map.get(r.id)
    if (!known) {
      known = { ...r, id: map.size }
      map.set(r.id, known)
    }
    return known
  }
  const operand = (o: Operand): Operand => (o.kind === 'reg' ? reg(o) : o)
  const walk = (body: readonly Stmt[]): readonly Stmt[] => body.map((s) => withDefines(mapUses(s, operand, walk), reg))
  const body = walk(kernel.body),
    registers = [...map.values()]
  return same(registers, kernel.registers) ? kernel : { ...kernel, body, registers }
}

function withDefines(s: Stmt, reg: (r: Reg) => Reg): Stmt {
  switch (s.kind) {
    case 'op':
    case 'builtin':
    case 'subgroup':
      return { ...s, dst: reg(s.dst) }
    case 'load':
      return { ...s, dst: s.dst.map(reg) }
    case 'atomic':
      return { ...s, dst: s.dst ? reg(s.dst) : null }
    case 'store':
    case 'matrix':
    case 'barrier':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return s
  }
}
