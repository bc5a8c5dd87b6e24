// In: a plan with WGSL texts. Out: the same as data that the library runs on tensors (`kernels/operation`). The one
// idea: everything that a host computes is written as a small expression; what tensors or the library cannot hold is
// refused in a sentence. Nothing is compiled here.
import { fail, InternalError } from '../base/index.ts'
import {
  allVariants,
  bindingsOf,
  isFloat,
  needsBeyond,
  stepsOf,
  type Expr,
  type MemoryType,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanStep,
  type PlanVariant,
  type ScalarType,
} from '../ir/index.ts'
import {
  isHostOperation,
  type ElementType,
  type HostValue,
  type OperationArray,
  type OperationData,
  type OperationLaunch,
  type OperationStep,
  type OperationVariant,
} from '../kernels/index.ts'

/** The plan as data. Throws a `DiagnosticError` where tensors cannot hold its arrays. */
export function operationData(plan: Plan): OperationData {
  const texts = new Map<string, number>()
  const variants = allVariants(plan).map((v) => variantData(v, texts))
  return {
    format: 1,
    name: plan.name,
    sizes: plan.sizes.map((s) => ({ name: s.name, min: s.min, ...(s.fixed && { fixed: s.planned }) })),
    scalars: plan.scalars.map((s) => ({ name: s.name, type: elementType(s.name, s.type) })),
    arrays: plan.arrays.map(arrayData),
    texts: [...texts.keys()],
    variants,
  }
}

function arrayData(a: PlanArray): OperationArray {
  return {
    name: a.name,
    // scratch memory is counted in words, whatever is in it
    type: a.role === 'temp' ? 'u32' : elementType(a.name, a.type),
    shape: a.shape.map(valueOf),
    role: a.role,
    ...(a.isOpenEnded && { isOpenEnded: true }),
  }
}

const words: Readonly<Partial<Record<MemoryType | ScalarType, string>>> = {
  i8: 'char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
  f16: '_Float16',
  bool: '_Bool',
}

function elementType(name: string, type: MemoryType | ScalarType): ElementType {
  if (type === 'f32' || type === 'i32' || type === 'u32') return type
  return fail(
    'operation.type',
    `'${name}' is ${words[type] ?? type}, and tensors of operations hold float, int or unsigned`,
    undefined,
    'declare it as one of these',
  )
}

function variantData(v: PlanVariant, texts: Map<string, number>): OperationVariant {
  const needs = needsBeyond(v)
  return {
    when: v.when && valueOf(v.when),
    ...(Object.keys(needs).length > 0 && { needs }),
    ...(v.refusal !== undefined && { refusal: v.refusal }),
    launches: v.launches.map((l) => launchData(l, texts)),
    steps: stepsOf(v).map(stepData),
  }
}

const stepData = (s: PlanStep): OperationStep =>
  typeof s === 'number'
    ? s
    : {
        variable: s.variable,
        lower: valueOf(s.lower),
        upper: valueOf(s.upper),
        step: s.step,
        body: s.body.map(stepData),
      }

function launchData(l: PlanLaunch, texts: Map<string, number>): OperationLaunch {
  const wgsl = l.emitted?.wgsl
  if (!wgsl) throw new InternalError('compile', `kernel ${l.kernel.name} has no WGSL text`)
  const plain = wgsl.text.replace(/^(\/\/.*\n)+/, ''), // without how it was made, which the report has
    text = texts.get(plain) ?? texts.size
  texts.set(plain, text)
  return {
    text,
    entry: wgsl.entry,
    grid: [valueOf(l.grid[0]), valueOf(l.grid[1]), valueOf(l.grid[2])],
    bind: bindingsOf(l.kernel).map(({ resource, kind }) => [
      l.arguments[resource.name] ?? missing(l, resource.name),
      kind === 'uniform' ? 'constant' : kind,
    ]),
    params: l.kernel.params.map((p) => [paramType(p.type), valueOf(l.params[p.name] ?? missing(l, p.name))]),
  }
}

/** A bool is one word, and what is narrower than that is computed in it. */
const paramType = (type: ScalarType): ElementType => (isFloat(type) ? 'f32' : type === 'i32' ? 'i32' : 'u32')

const missing = (l: PlanLaunch, name: string): never => {
  throw new InternalError('compile', `kernel ${l.kernel.name} has nothing for ${name}`)
}

/** An expression of a plan as data. Throws a `DiagnosticError` on what the library does not compute. */
export function valueOf(e: Expr): HostValue {
  switch (e.kind) {
    case 'const':
      return constant(Number(e.value))
    case 'size':
    case 'scalar':
    case 'var':
      return e.name
    case 'choose':
      return ['select', e.type, valueOf(e.condition), valueOf(e.then), valueOf(e.else)]
    case 'op':
      return operationValue(e)
    case 'read':
      throw new InternalError('compile', 'a plan expression reads an array', JSON.stringify(e))
  }
}

/** JSON has no infinities and no NaN. */
const constant = (x: number): HostValue =>
  Number.isFinite(x) ? x : ['div', 'f32', Number.isNaN(x) ? 0 : Math.sign(x), 0]

function operationValue(e: Extract<Expr, { kind: 'op' }>): HostValue {
  const args = e.args.map(valueOf)
  if (e.op === 'copy') return args[0]! // it has one
  if (e.op === 'convert' && e.type === 'bool') return ['ne', 'bool', args[0]!, 0]
  const op = e.op === 'convert' && isFloat(e.args[0]!.type) && !isFloat(e.type) ? 'truncate' : e.op
  if (!isHostOperation(op) || e.type === 'i64' || e.type === 'u64' || e.type === 'f64')
    fail(
      'operation.host',
      `the host would have to compute ${op} of ${e.type} from the parameters before it launches`,
      undefined,
      'compute it in the loops, or give its result as a parameter',
    )
  return [op, e.type, ...args]
}
