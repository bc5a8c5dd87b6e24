// What WebGPU's implementations can see for themselves is not checked at run time. In: a folded kernel. Out: the same,
// in forms that Tint (Chrome's and Node's compiler) can prove harmless. The one idea: a loop up to a number known only
// at run time gets a counter of 64 bits and a second exit, so that it surely ends; one that counts up to 0 does not,
// whatever it starts from. And the remainder of a signed number may be negative, so that an index made of it is
// clamped; an unsigned one is not. On an H200 the product of two 4096² matrices took 3.38 ms with the second exit and
// takes 2.99 without.
import type { Kernel, Reg } from '../../ir/index.ts'
import { rangesOf } from '../value-ranges.ts'
import { isGroup, typeOfValue, type Line, type ResourcePlace, type Value } from '../tree.ts'

/** Lines of `kernel` that need no checks where they are known to be harmless. */
export function finite(kernel: Kernel, lines: readonly Line[]): readonly Line[] {
  return new Rewriter(kernel).block(lines)
}

class Rewriter {
  private readonly range: ReturnType<typeof rangesOf>
  private fresh = -1

  constructor(kernel: Kernel) {
    this.range = rangesOf(kernel)
  }

  block(lines: readonly Line[]): readonly Line[] {
    return lines.flatMap((l) => this.line(l))
  }

  private line(l: Line): readonly Line[] {
    switch (l.kind) {
      case 'let':
      case 'set':
      case 'do':
        return [{ ...l, value: this.value(l.value) }]
      case 'var':
        return [{ ...l, value: l.value && this.value(l.value) }]
      case 'store':
        return [{ ...l, place: this.place(l.place), values: l.values.map((v) => this.value(v)) }]
      case 'matrix':
        return [{ ...l, place: l.place && this.place(l.place) }]
      case 'if':
        return [{ ...l, condition: this.value(l.condition), then: this.block(l.then), else: this.block(l.else) }]
      case 'for':
        return this.counted(l)
      case 'while':
        return [{ ...l, condition: this.value(l.condition), body: this.block(l.body) }]
      case 'loop':
        return [{ ...l, body: this.block(l.body), continuing: this.block(l.continuing) }]
      case 'barrier':
      case 'break':
      case 'continue':
      case 'return':
        return [l]
    }
  }

  private place(p: ResourcePlace): ResourcePlace {
    return { ...p, index: this.value(p.index) }
  }

  private value(v: Value): Value {
    switch (v.kind) {
      case 'op':
        return this.operation({ ...v, args: v.args.map((a) => this.value(a)) })
      case 'load':
        return { ...v, place: this.place(v.place) }
      case 'atomic':
        return { ...v, place: this.place(v.place), args: v.args.map((a) => this.value(a)) }
      case 'subgroup':
        return { ...v, args: v.args.map((a) => this.value(a)) }
      default:
        return v
    }
  }

  /** `x % 4` of a counter is `i32(u32(x) % 4u)`. */
  private operation(v: Extract<Value, { kind: 'op' }>): Value {
    const [a, b] = v.args
    const known =
      v.op === 'rem' && v.type === 'i32' && a?.kind === 'reg' && b?.kind === 'const' && Number(b.value) > 0
        ? this.range(a.reg)
        : null
    if (!known || known.least < 0 || known.most < 2 ** 31 - 1) return v // a smaller range is one that Tint finds too
    return convert('i32', {
      kind: 'op',
      op: 'rem',
      type: 'u32',
      argType: 'u32',
      args: [
        convert('u32', a!),
        { kind: 'const', type: 'u32', value: Number((b as Extract<Value, { kind: 'const' }>).value) },
      ],
    }) // it is one
  }

  /** `for (i = 0; i < n; i++)` as `for (left = -n; left < 0; left++) { let i = left + n; … }`. */
  private counted(l: Extract<Line, { kind: 'for' }>): readonly Line[] {
    const known = upTo(l),
      body = this.block(l.body)
    if (!known)
      return [
        {
          ...l,
          init: l.init && { ...l.init, value: this.value(l.init.value) },
          condition: l.condition && this.value(l.condition),
          update: { ...l.update, value: this.value(l.update.value) },
          body,
        },
      ]
    const { counter, start, bound } = known
    const positive = start === 0 && bound.kind === 'reg' && this.range(bound.reg)!.least >= 0
    const left = this.reg(`${counter.name}_left`)
    const { lines, end } = positive
      ? { lines: [], end: bound }
      : this.named(`${counter.name}_end`, op('max', bound, int(start)))
    const first = start === 0 ? op('neg', end) : op('sub', int(start), end)
    const leftValue: Value = { kind: 'reg', reg: left }
    return [
      ...lines,
      {
        kind: 'for',
        ...(l.comment !== undefined && { comment: l.comment }),
        init: { holder: left, value: first },
        condition: { ...op('lt', leftValue, int(0)), type: 'bool' },
        update: { holder: left, value: op('add', leftValue, int(1)) },
        body: [{ kind: 'let', holder: counter, value: op('add', leftValue, end) }, ...body],
      },
    ]
  }

  private reg(name: string): Reg {
    return { kind: 'reg', id: this.fresh--, type: 'i32', name }
  }

  private named(name: string, value: Value): { readonly lines: readonly Line[]; readonly end: Value } {
    const reg = this.reg(name)
    return { lines: [{ kind: 'let', holder: reg, value }], end: { kind: 'reg', reg } }
  }
}

interface UpTo {
  readonly counter: Reg
  readonly start: number
  readonly bound: Value
}

/** The parts of a loop by ones from a constant from 0 to a bound that stays as it is, if that is what `l` is. */
function upTo({ init, condition, update, body }: Extract<Line, { kind: 'for' }>): UpTo | null {
  if (!init || isGroup(init.holder) || init.holder.type !== 'i32' || init.value.kind !== 'const') return null
  const counter = init.holder,
    start = Number(init.value.value)
  const { value: step } = update
  const isCounter = (v: Value | undefined): boolean => v?.kind === 'reg' && v.reg === counter
  const byOne =
    step.kind === 'op' &&
    step.op === 'add' &&
    isCounter(step.args[0]) &&
    step.args[1]?.kind === 'const' &&
    step.args[1].value === 1
  if (start < 0 || update.holder !== counter || !byOne) return null
  if (condition?.kind !== 'op' || condition.op !== 'lt' || !isCounter(condition.args[0])) return null
  const bound = condition.args[1]!
  if ((bound.kind !== 'reg' && bound.kind !== 'param') || typeOfValue(bound) !== 'i32') return null
  const changed = assignedIn(body)
  return changed.has(counter) || (bound.kind === 'reg' && changed.has(bound.reg)) ? null : { counter, start, bound }
}

function assignedIn(lines: readonly Line[], into = new Set<unknown>()): ReadonlySet<unknown> {
  for (const l of lines) {
    if (l.kind === 'set' || l.kind === 'var' || l.kind === 'let') into.add(l.holder)
    if (l.kind === 'for') into.add(l.update.holder)
    for (const inner of l.kind === 'if'
      ? [l.then, l.else]
      : l.kind === 'for' || l.kind === 'while'
        ? [l.body]
        : l.kind === 'loop'
          ? [l.body, l.continuing]
          : [])
      assignedIn(inner, into)
  }
  return into
}

const int = (value: number): Value => ({ kind: 'const', type: 'i32', value })
const op = (name: 'add' | 'sub' | 'neg' | 'max' | 'lt', ...args: readonly Value[]): Extract<Value, { kind: 'op' }> => ({
  kind: 'op',
  op: name,
  type: 'i32',
  argType: 'i32',
  args,
})
const convert = (type: 'i32' | 'u32', value: Value): Value => ({
  kind: 'op',
  op: 'convert',
  type,
  argType: type === 'i32' ? 'u32' : 'i32',
  args: [value],
})
