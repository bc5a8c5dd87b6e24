// What a part of a program computes, as a line of mathematics.
import { loopVar, printExpr, type Expr, type Form, type Nest, type Other } from '../ir/index.ts'

const symbols: Readonly<Record<string, string>> = {
  add: 'sum',
  mul: 'product',
  min: 'min',
  max: 'max',
  and: 'and',
  or: 'or',
  xor: 'xor',
  land: 'all',
  lor: 'any',
}

const element = (array: string, index: readonly Expr[]): string => `${array}[${index.map(printExpr).join(', ')}]`

/** The nest as a line of mathematics. */
export function formula(nest: Nest): string {
  const target = element(nest.out.array.name, nest.out.index)
  const r = nest.reduction
  if (!r) return `${target} = ${printExpr(nest.out.value)}`
  const whole = `${symbols[r.op]} over ${r.loops.map((l) => l.name).join(', ')} of ${printExpr(r.value)}`
  const result = printExpr(nest.out.value)
  const plain = result === r.into.name || result === `${r.into.name}[]`
  return plain ? `${target} = ${whole}` : `${target} = ${result}, where ${r.into.name} is the ${whole}`
}

/** Any part in words. */
export function partWords(part: Nest | Other | undefined): string {
  return part?.kind === 'nest' ? formula(part) : part?.kind === 'idiom' ? formWords(part.form) : 'as the source says'
}

function formWords(form: Form): string {
  switch (form.kind) {
    case 'scan': {
      const stores = form.stores
        .map(({ store }) => `${element(store.array, store.index)} = ${printExpr(store.value)}`)
        .join(', ')
      return (
        `${stores}, where ${form.into.name} is the running ${symbols[form.op]} over ${form.loop.name} of ` +
        `${printExpr(form.value)}`
      )
    }
    case 'recurrence': {
      const names = form.states.map((a) => a.name)
      const stores = form.stores
        .map(({ store }) => `${element(store.array, store.index)} = ${printExpr(store.value)}`)
        .join(', ')
      return `${stores ? `${stores}, where ` : ''}${names.join(', ')}: a linear recurrence over ${form.loop.name}`
    }
    case 'argument': {
      const which = form.better === 'gt' || form.better === 'ge' ? 'greatest' : 'least',
        place = form.better === 'gt' || form.better === 'lt' ? 'first' : 'last'
      return `the ${place} of the ${which} over ${form.loop.name} of ${printExpr(form.value)}`
    }
    case 'time-tiles': {
      const cell = form.cells.map(loopVar)
      const sweeps = form.sweeps.map((s) => `${element(s.array.name, cell)} = ${printExpr(s.value)}`)
      return `${sweeps.join(', then ')}, for every ${form.loop.name}`
    }
    case 'wave-tiles':
      return (
        `${form.arrays.map((a) => a.name).join(', ')} in the order of ` +
        `${[form.time, form.row, form.column].flatMap((l) => (l ? [l.name] : [])).join(', ')}`
      )
    case 'one-block':
    case 'stages':
      return `as the source says, for every ${form.loop.source.name}`
    case 'rows':
    case 'maps':
    case 'sums':
      return form.nests.map(formula).join(', then ')
    case 'crossed':
      return `${formula(form.rows)}, and ${formula(form.columns)}`
    case 'scatter':
      return (
        `${symbols[form.store.reduce ?? 'add']} into ${element(form.store.array, form.store.index)} over ` +
        `${form.loops.map((l) => l.name).join(', ')} of ${printExpr(form.store.value)}`
      )
  }
}
