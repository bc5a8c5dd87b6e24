// What single statements of host code do to names. In: the text of a statement. Out: the name that it changes and the
// expression of its new value, its condition and what that guards. The one idea: sizes of launches are made by few
// kinds of statements; what else changes a name makes it unknown.
import { closing, type Item } from '../fixes/source-text.ts'

/** What a step gives the variable, as an expression. */
export function incrementOf(step: string, name: string): string | undefined {
  if (step === `${name}++` || step === `++${name}`) return `${name} + 1`
  if (step === `${name}--` || step === `--${name}`) return `${name} - 1`
  const [, left, op, right] = /^(\w+)\s*(<<|>>|[-+*/%]?)=\s*([^=][^]*)$/.exec(step) ?? []
  if (left !== name || right === undefined) return undefined
  return op === '' ? right : `${name} ${op} (${right})`
}

/** The name that `x op= e;`, `x++;` or `--x;` changes, and its value. */
export function updateOf(statement: string): { readonly name: string; readonly value: string } | null {
  const text = statement.replace(/\s*;?\s*$/, ''),
    [, name] = /^(?:\+\+|--)?\s*(\w+)\s*(?:(?:<<|>>|[-+*/%])=|\+\+$|--$|$)/.exec(text) ?? [],
    value = name === undefined ? undefined : incrementOf(text.replace(/^(\+\+|--)\s*|\s*(\+\+|--)$/g, '$1$2'), name)
  return name === undefined || value === undefined ? null : { name, value }
}

/** Names that updates anywhere in a text change. */
export function updatedIn(text: string): readonly string[] {
  const all = text.matchAll(/(?:\+\+|--)\s*(\w+)|(\w+)\s*(?:\+\+|--|(?:<<|>>|[-+*/%])=)/g)
  return [...all].flatMap(([, after, before]) => after ?? before ?? [])
}

/** `if (…) …`, `while (…) …`, `for (…) …`: what stands in the brackets, and what is behind them. */
export interface Guarded {
  readonly word: 'if' | 'while' | 'for' | 'do'
  readonly condition: string
  readonly rest: string
}

/** A statement that may run any number of times; null of another. */
export function guardedOf(text: string): Guarded | null {
  const [start, word] = /^(if|while|for|do)\b\s*(?:constexpr\s*)?\(?/.exec(text) ?? []
  if (start === undefined) return null
  if (word === 'do') return { word, condition: '', rest: text.slice('do'.length) }
  const end = closing(text, start.length - 1)
  return {
    word: word as Guarded['word'], // one of them
    condition: text.slice(start.length, end - 1),
    rest: text.slice(end).trim(),
  }
}

/** What stands in the brackets of the `for`s that a statement begins with: `for (a; b; c) for (d; e; f) …`. */
export function loopHeads(statement: string): readonly string[] {
  const [start] = /^for\s*\(/.exec(statement) ?? []
  if (start === undefined) return []
  const end = closing(statement, start.length - 1)
  return [statement.slice(start.length, end - 1), ...loopHeads(statement.slice(end).trim())]
}

/** What a `switch` asks; null of another statement. */
export function switchedOf(text: string): string | null {
  const [start] = /^switch\s*\(/.exec(text) ?? []
  return start === undefined ? null : text.slice(start.length, closing(text, start.length - 1) - 1)
}

/** A statement of a `switch` without the labels before it. */
export interface Labelled {
  readonly item: Item
  /** The values of `case`. */
  readonly labels: readonly string[]
  readonly isDefault: boolean
}

export function labelled(bare: string, item: Item): Labelled {
  const labels: string[] = []
  let { from } = item,
    isDefault = false
  for (;;) {
    const [whole, word, value] =
      /^\s*(case|default)\b([^:;{}]*(?:::[^:;{}]*)*):(?!:)/.exec(bare.slice(from, item.to)) ?? []
    if (whole === undefined) return { item: { ...item, from }, labels, isDefault }
    if (word === 'default') isDefault = true
    else labels.push(value ?? '')
    from += whole.length
  }
}
