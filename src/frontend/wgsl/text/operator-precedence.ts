// Precedence of binary operators. In: a tree of them as the parser built it. Out: a tree as WGSL wants it. The one
// idea: in any tree the operands and operators stand in the order of the text, so they are listed and grouped again;
// the parser groups `a < b * c - d` as `(a < b * c) - d`.
import type { ElemOf, Expression } from './source.ts'

type Binary = ElemOf<'binary-expression'>

const levels: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 6,
  '<=': 6,
  '>': 6,
  '>=': 6,
  '<<': 7,
  '>>': 7,
  '+': 8,
  '-': 8,
  '*': 9,
  '/': 9,
  '%': 9,
}

const known = new WeakMap<Binary, Binary>()

/** The same operands and operators, grouped by precedence, from left to right among equals. */
export function regrouped(e: Binary): Binary {
  let found = known.get(e)
  if (!found) {
    found = group(e)
    known.set(e, found)
    known.set(found, found)
  }
  return found
}

function group(e: Binary): Binary {
  const operands: Expression[] = []
  const operators: Binary['operator'][] = []
  const reduce = (): void => {
    const right = operands.pop()!,
      left = operands.pop()!,
      operator = operators.pop()!
    const made: Binary = { ...e, operator, left, right, start: left.start, end: right.end }
    known.set(made, made)
    operands.push(made)
  }
  for (const { operand, operator } of inOrder(e)) {
    operands.push(operand)
    if (!operator) continue
    while (operators.length > 0 && levels[operators[operators.length - 1]!.value]! >= levels[operator.value]!) reduce()
    operators.push(operator)
  }
  while (operators.length > 0) reduce()
  return operands[0] as Binary // e has an operator, so the last reduction made it
}

/** Each operand with the operator after it; without recursion, since chains are long. */
function inOrder(e: Binary): { readonly operand: Expression; readonly operator: Binary['operator'] | null }[] {
  const out: { operand: Expression; operator: Binary['operator'] | null }[] = []
  const stack: (Expression | Binary['operator'])[] = [e]
  while (stack.length > 0) {
    const top = stack.pop()!
    if (!('kind' in top)) out[out.length - 1]!.operator = top
    else if (top.kind === 'binary-expression') stack.push(top.right, top.operator, top.left)
    else out.push({ operand: top as Expression, operator: null }) // operators are told apart above
  }
  return out
}
