// In: a LoopIR program. Out: nothing, or an `InternalError` that names the statement and what is wrong with it. The one
// idea: everything a pass may rely on (scopes, types by the ops table, ranks, constant extents of bound loops) is
// checked in one place, after every pass in tests. It does not check that accesses are in bounds or that bindings are
// legal.
import { InternalError } from '../../base/index.ts'
import { addScaled, affineOf } from '../integers/affine.ts'
import { opRow, type OpName, type TypeGroup } from '../ops.ts'
import { printExpr, printProgram, printStmt } from './text-loop.ts'
import { isFloat, registerType, type ScalarType } from '../types.ts'
import {
  leastInteger,
  type ArrayDecl,
  type Expr,
  type HostVariable,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from './loop.ts'

type Meaning =
  | { readonly kind: 'loop' }
  | { readonly kind: 'size' }
  | { readonly kind: 'scalar'; readonly type: ScalarType }
  | { readonly kind: 'array'; readonly array: ArrayDecl }
type Scope = Map<string, Meaning>
/** Says no; `where` is added by the caller. */
type Refuse = (message: string) => never

/**
 * Returns when `p` is well formed; else throws an `InternalError` with the statement, the reason and the whole text.
 */
export function verifyProgram(p: Program): void {
  const scope: Scope = new Map()
  const refuse = refuseIn(p, 'the parameters')
  for (const s of p.sizes) {
    enter(scope, s.name, { kind: 'size' }, refuse)
    if (!Number.isInteger(s.min) || s.min < leastInteger) refuse(`size ${s.name} has minimum ${s.min}`)
    if (s.kind === 'quotient' && (!isParametric(s.of) || s.by < 1))
      refuse(`size ${s.name} is no quotient of sizes by a positive number`)
    for (const e of s.where ?? [])
      if (e.type !== 'bool' || !isParametric(e)) refuse(`${printExpr(e)} is no condition of sizes and constants`)
    if (!Number.isInteger(s.planned) || s.planned < s.min)
      refuse(`size ${s.name} is planned as ${s.planned}, below its minimum ${s.min}`)
  }
  for (const v of p.hostVariables) checkHostVariable(v, scope, refuse)
  for (const s of p.scalars) enter(scope, s.name, { kind: 'scalar', type: s.type }, refuse)
  for (const a of p.arrays) {
    checkArray(a, scope, refuse)
    if (a.space !== 'global') refuse(`array ${a.name} of the program is ${a.space}, not global`)
  }
  checkBlock(p, p.body, scope)
}

function checkHostVariable(v: HostVariable, scope: Scope, refuse: Refuse): void {
  enter(scope, v.name, { kind: 'size' }, refuse)
  if (!Number.isInteger(v.min) || v.min < leastInteger) refuse(`host variable ${v.name} has minimum ${v.min}`)
  if (v.below && !isParametric(v.below))
    refuse(`host variable ${v.name} is below ${printExpr(v.below)}, which is no expression of sizes and constants`)
  if (!Number.isInteger(v.planned) || v.planned < v.min)
    refuse(`host variable ${v.name} is planned as ${v.planned}, below its minimum ${v.min}`)
}

function refuseIn(p: Program, where: string): Refuse {
  return (message) => {
    throw new InternalError('verify-loop', `${message}, in ${where}`, printProgram(p))
  }
}

function enter(scope: Scope, name: string, meaning: Meaning, refuse: Refuse): void {
  if (!/^[A-Za-z_]\w*$/.test(name) || name === 'true' || name === 'false')
    refuse(`${JSON.stringify(name)} is no identifier`)
  if (scope.has(name)) refuse(`${name} is declared twice`)
  scope.set(name, meaning)
}

function checkArray(a: ArrayDecl, scope: Scope, refuse: Refuse): void {
  for (const extent of a.shape) {
    checkIndex(extent, scope, refuse)
    if (!isParametric(extent))
      refuse(`extent ${printExpr(extent)} of ${a.name} is no expression of sizes and constants`)
  }
  if (a.pad !== undefined && (!Number.isInteger(a.pad) || a.pad < 0 || a.shape.length === 0))
    refuse(`array ${a.name} has pad ${a.pad}`)
  enter(scope, a.name, { kind: 'array', array: a }, refuse)
}

/** Whether `e` depends on nothing but sizes and constants. */
function isParametric(e: Expr): boolean {
  switch (e.kind) {
    case 'const':
    case 'size':
      return true
    case 'var':
    case 'scalar':
    case 'read':
      return false
    case 'op':
      return e.args.every(isParametric)
    case 'choose':
      return [e.condition, e.then, e.else].every(isParametric)
  }
}

function checkBlock(p: Program, body: readonly LoopStmt[], outer: Scope): void {
  const scope = new Map(outer)
  for (const s of body) {
    const refuse = refuseIn(p, `"${printStmt(s).split('\n')[0]}"`)
    switch (s.kind) {
      case 'loop':
        checkLoop(p, s, scope, refuse)
        break
      case 'if':
        checkIf(p, s, scope, refuse)
        break
      case 'store':
        checkStore(s, scope, refuse)
        break
      case 'declare':
        if (s.array.role !== 'temp') refuse(`declared array ${s.array.name} has role ${s.array.role}`)
        checkArray(s.array, scope, refuse)
        break
    }
  }
}

function checkLoop(p: Program, s: Loop, scope: Scope, refuse: Refuse): void {
  checkIndex(s.lower, scope, refuse)
  checkIndex(s.upper, scope, refuse)
  if (!Number.isInteger(s.step) || s.step < 1) refuse(`step ${s.step} is no positive integer`)
  checkBinding(s, refuse)
  const inner = new Map(scope)
  enter(inner, s.name, { kind: 'loop' }, refuse)
  checkBlock(p, s.body, inner)
}

function checkBinding(s: Loop, refuse: Refuse): void {
  if (s.bind.kind === 'thread' && (!Number.isInteger(s.bind.stride) || s.bind.stride < 1))
    refuse(`thread stride ${s.bind.stride} is no positive integer`)
  if (s.bind.kind !== 'thread' && s.bind.kind !== 'vector') return
  const trips = constantTrips(s)
  if (trips === undefined) return refuse(`a loop bound to ${s.bind.kind} needs a constant number of iterations`)
  if (s.bind.kind === 'vector' && trips !== 2 && trips !== 4)
    refuse(`a vector loop has 2 or 4 iterations, not ${trips}`)
}

/** Number of iterations of `s` when that is the same constant always; else undefined. */
export function constantTrips(s: Loop): number | undefined {
  const lower = affineOf(s.lower),
    upper = affineOf(s.upper)
  if (!lower || !upper) return undefined
  const extent = addScaled(upper, lower, -1)
  return extent.terms.size === 0 ? Math.max(0, Math.ceil(extent.constant / s.step)) : undefined
}

function checkIf(p: Program, s: If, scope: Scope, refuse: Refuse): void {
  checkExpr(s.condition, scope, refuse)
  if (s.condition.type !== 'bool') refuse(`condition ${printExpr(s.condition)} is ${s.condition.type}, not bool`)
  checkBlock(p, s.then, scope)
  checkBlock(p, s.else, scope)
}

function checkStore(s: Store, scope: Scope, refuse: Refuse): void {
  const array = checkElement(s.array, s.index, scope, refuse)
  if (array.role === 'in') refuse(`${s.array} is an input and is stored to`)
  checkExpr(s.value, scope, refuse)
  const wanted = registerType(array.type)
  const isLogical = s.reduce === 'land' || s.reduce === 'lor'
  if (s.value.type !== wanted) refuse(`a ${s.value.type} is stored to ${s.array} of ${array.type}`)
  const isOfIntegers = s.reduce && s.reduce !== 'mul' && !isLogical && (array.type === 'i32' || array.type === 'u32')
  if (s.atomic && !isOfIntegers && !(s.reduce === 'add' && array.type === 'f32'))
    refuse(`no atomic does ${s.reduce ?? 'a plain store'} on ${array.type}`)
  if (isLogical && isFloat(wanted)) refuse(`reduction ${s.reduce} on ${wanted}`)
  if (s.reduce && !isLogical && !inGroup(wanted, opRow(s.reduce).takes)) refuse(`reduction ${s.reduce} on ${wanted}`)
}

function checkElement(name: string, index: readonly Expr[], scope: Scope, refuse: Refuse): ArrayDecl {
  const meaning = scope.get(name)
  if (meaning?.kind !== 'array') return refuse(`${name} is no array in scope`)
  const rank = meaning.array.shape.length
  if (index.length !== rank) refuse(`${name} has rank ${rank} and is indexed with ${index.length}`)
  for (const e of index) checkIndex(e, scope, refuse)
  return meaning.array
}

function checkIndex(e: Expr, scope: Scope, refuse: Refuse): void {
  checkExpr(e, scope, refuse)
  if (e.type !== 'i32') refuse(`index or bound ${printExpr(e)} is ${e.type}, not i32`)
}

function checkExpr(e: Expr, scope: Scope, refuse: Refuse): void {
  switch (e.kind) {
    case 'const':
      return checkConst(e, refuse)
    case 'var':
      if (scope.get(e.name)?.kind !== 'loop') refuse(`${e.name} is no loop variable in scope`)
      return
    case 'size':
      if (scope.get(e.name)?.kind !== 'size') refuse(`${e.name} is no size`)
      return
    case 'scalar': {
      const meaning = scope.get(e.name)
      if (meaning?.kind !== 'scalar') refuse(`${e.name} is no scalar parameter`)
      else if (meaning.type !== e.type) refuse(`scalar ${e.name} is ${meaning.type}, used as ${e.type}`)
      return
    }
    case 'read': {
      const array = checkElement(e.array, e.index, scope, refuse)
      if (registerType(array.type) !== e.type) refuse(`${e.array} of ${array.type} is read as ${e.type}`)
      return
    }
    case 'op':
      for (const a of e.args) checkExpr(a, scope, refuse)
      return checkOp(e, refuse)
    case 'choose':
      for (const a of [e.condition, e.then, e.else]) checkExpr(a, scope, refuse)
      if (e.condition.type !== 'bool' || e.then.type !== e.else.type || e.then.type !== e.type)
        refuse(`${printExpr(e)} has types ${e.condition.type} ? ${e.then.type} : ${e.else.type} → ${e.type}`)
  }
}

function checkConst(e: Extract<Expr, { kind: 'const' }>, refuse: Refuse): void {
  const range = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1], bool: [0, 1] } as const
  const wide = e.type === 'i64' || e.type === 'u64'
  if (wide !== (typeof e.value === 'bigint')) return refuse(`constant ${e.value} of ${e.type} is a ${typeof e.value}`)
  if (e.type !== 'i32' && e.type !== 'u32' && e.type !== 'bool') return
  const [low, high] = range[e.type]
  if (!Number.isInteger(e.value) || e.value < low || e.value > high)
    refuse(`constant ${e.value} does not fit ${e.type}`)
}

function inGroup(type: ScalarType, group: TypeGroup): boolean {
  switch (group) {
    case 'any':
      return true
    case 'bool':
      return type === 'bool'
    case 'float':
      return isFloat(type)
    case 'number':
      return type !== 'bool'
    case 'integer':
      return type !== 'bool' && !isFloat(type)
  }
}

function checkOp(e: Extract<Expr, { kind: 'op' }>, refuse: Refuse): void {
  const row = opRow(e.op)
  if (e.args.length !== row.arity) refuse(`${e.op} takes ${row.arity} arguments, got ${e.args.length}`)
  const values = e.op === 'select' ? e.args.slice(1) : e.args
  const type = values[0]!.type
  if (values.some((a) => a.type !== type)) refuse(`${printExpr(e)} mixes ${values.map((a) => a.type).join(' and ')}`)
  if (e.op === 'select' && e.args[0]!.type !== 'bool') refuse(`the condition of ${printExpr(e)} is ${e.args[0]!.type}`)
  if (!inGroup(type, row.takes)) refuse(`${e.op} takes ${row.takes}, got ${type}`)
  if (row.gives !== 'to' && e.type !== (row.gives === 'bool' ? 'bool' : type))
    refuse(`${printExpr(e)} gives ${row.gives === 'bool' ? 'bool' : type}, marked ${e.type}`)
  checkCast(e.op, type, e.type, refuse)
}

const widths = { bool: 1, i32: 32, u32: 32, i64: 64, u64: 64, f16: 16, f32: 32, f64: 64 } as const satisfies Record<
  ScalarType,
  number
>

function checkCast(op: OpName, from: ScalarType, to: ScalarType, refuse: Refuse): void {
  if (op === 'bitcast' && widths[from] !== widths[to]) refuse(`bitcast from ${from} to ${to} changes the width`)
}
