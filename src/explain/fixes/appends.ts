// Lists that threads append to. In: a counter whose old value is a place in a list. Out: candidates. The one idea
// (aggregated atomics): threads of a block count among themselves, one of them takes as many places at once, and then
// all write; what they write is kept until then.
import { atomicCalls, numberAt, type AtomicCall } from './atomic-calls.ts'
import type { FixCandidate, FixCase } from './candidate.ts'
import { kernelText, withEntry, type KernelText, type SharedVariable } from './entry.ts'
import {
  isLoop,
  pathTo,
  textOffset,
  unusedName,
  usesOfName,
  type Edit,
  type Item,
  type SourceCode,
} from './source-text.ts'
import { typeOfPlace } from './types-in-text.ts'
import { wordsOf } from '../wording.ts'
import type { Finding } from '../types.ts'

/** A statement that takes a place in a list. */
interface Append {
  readonly call: AtomicCall
  /** `if (…)` without braces before it. */
  readonly head: string
  /** `let at`, `int at`: how the place is declared. */
  readonly declared: string
  readonly name: string
  readonly item: Item
  /** Statements that use the place; null for the one that takes it. */
  readonly uses: readonly { readonly text: string; readonly item: Item | null }[]
}

/** Places in lists taken once a block. */
export function sharedAppends(c: FixCase, f: Finding): readonly FixCandidate[] {
  const { code, report } = c
  const kernel = kernelText(code, report.kernel.name)
  const call = callAt(c, f)
  if (!call) return []
  const path = pathTo(code, call.from)
  const step = path.at(-1)
  if (!kernel || !step || path[0]?.item !== kernel.main || path.slice(1).some((s) => isLoop(code, s.item))) return []
  const append = appendOf(code, call, step.item, step.list.slice(step.index + 1))
  if (!append) return []
  const moved = movedOf(code, kernel, append)
  if (!moved) return []
  const words = wordsOf(report.kernel.language),
    { block } = report.launch
  return [
    {
      does:
        `count in ${words.shared} how many places of '${append.call.path}' a ${words.block} takes, ` +
        `and take them at once`,
      edits: entryOf(c, kernel, append, moved, block[0] * block[1] * block[2]),
    },
  ]
}

const statementHead = /^((?:if\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)*)([^]*)$/

/** The sum at a place of a report. Compilers of CUDA give columns that lie before it, on its line. */
function callAt({ code, report }: FixCase, { at }: Finding): AtomicCall | null {
  const place = at?.file === report.kernel.file ? textOffset(code.text, at) : null
  if (place === null) return null
  const calls = atomicCalls(code, ['atomicAdd'])
  const ahead = calls.find((u) => u.from >= place && !code.text.slice(place, u.from).includes('\n'))
  return calls.find((u) => u.from <= place && place < u.to) ?? ahead ?? null
}

/** Null where the item is no such statement. */
function appendOf(code: SourceCode, call: AtomicCall, item: Item, rest: readonly Item[]): Append | null {
  if (item.blocks.length > 0) return null
  const [, head = '', statement = ''] = statementHead.exec(code.bare.slice(item.from, item.to)) ?? []
  const start = item.from + head.length
  const before = code.text.slice(start, call.from),
    behind = code.text.slice(call.to, item.to)
  if (statement === '' || call.from < start) return null
  const [, declared, name] = /^((?:[A-Za-z_]\w*\s+)+?([A-Za-z_]\w*)(?:\s*:\s*\w+)?)\s*=\s*$/.exec(before) ?? []
  if (declared !== undefined && name !== undefined && /^\s*;$/.test(behind)) {
    const names = [name]
    const using = rest.filter((other) => {
      if (!names.some((n) => usesOfName(code.bare, n, other).length > 0)) return false
      const made = declarationName(code.bare.slice(other.from, other.to))
      if (made !== null) names.push(made)
      return true
    })
    // who leaves between the two has taken a place and writes nothing
    const leaves = rest.some(
      (r) => !using.includes(r) && /\b(?:return|break|continue)\b/.test(code.bare.slice(r.from, r.to)),
    )
    const uses = using.map((u) => ({ text: code.text.slice(u.from, u.to), item: u }))
    return leaves ? null : { call, head, declared, name, item, uses }
  }
  // list[atomicAdd(…)] = value;
  if (!/\[\s*$/.test(before) || !/^\s*\]/.test(behind)) return null
  const place = unusedName(code.bare, 'at')
  const type = numberAt(code, call.path)
  const declaredHere = code.language === 'wgsl' ? `let ${place}` : `const ${type} ${place}`
  const uses = [{ text: `${before}${place}${behind}`, item: null }]
  return { call, head, declared: declaredHere, name: place, item, uses }
}

const declarationName = (statement: string): string | null =>
  /^(?:(?:let|var|const|auto|unsigned|signed|long|int|uint|size_t|u?int\d+_t)\s+)+([A-Za-z_]\w*)\s*[:=]/.exec(
    statement,
  )?.[1] ?? null

interface Kept {
  readonly name: string
  readonly type: string
  readonly value: string
  /** The statement that it stood in, as in `Append`. */
  readonly item: Item | null
}

interface Moved {
  /** What each thread keeps, where the statements stood. */
  readonly kept: readonly Kept[]
  /** What it does with the place, behind all. */
  readonly statements: readonly string[]
}

/** What the statements write is kept; null where they need more of the kernel than that. */
function movedOf(code: SourceCode, kernel: KernelText, { name, uses }: Append): Moved | null {
  const locals = localsOf(code, kernel)
  const places = new Set([name, ...uses.flatMap((u) => declarationName(u.text) ?? [])])
  const isOf = (text: string, names: ReadonlySet<string>): boolean =>
    [...text.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].some((m) => names.has(m[0]))
  const kept: Kept[] = []
  const statements = uses.map(({ text: use, item }): string | null => {
    let changed = ''
    let at = 0
    for (const m of use.matchAll(/(?<![=!<>+\-*/%&|^])=(?!=)\s*([^;]+);/g)) {
      const value = m[1]!.trim()
      const from = m.index + m[0].indexOf(m[1]!)
      if (isOf(value, places) || !isOf(value, locals)) continue
      const target = /([A-Za-z_][\w.]*(?:\s*\[[^;{}=]*\](?:\.\w+)*)+)\s*$/.exec(use.slice(0, m.index))?.[1]
      const type = target === undefined ? null : typeOfPlace(code, target)
      if (type === null) return null
      const own = unusedName(code.bare, kept.length === 0 ? 'kept' : `kept${kept.length + 1}`)
      kept.push({ name: own, type, value, item })
      changed += use.slice(at, from) + own
      at = from + m[1]!.length
    }
    changed += use.slice(at)
    const others = new Set([...locals].filter((n) => !places.has(n)))
    return isOf(changed, others) ? null : changed
  })
  return statements.every((s) => s !== null) ? { kept, statements } : null
}

/** Names that only the kernel's statements know. */
function localsOf({ bare, language }: SourceCode, { body, names }: KernelText): ReadonlySet<string> {
  const text = bare.slice(body.from, body.to)
  const declared =
    language === 'wgsl'
      ? [...text.matchAll(/\b(?:let|var|const)\s+(?:<[^>]*>\s*)?([A-Za-z_]\w*)/g)].map((m) => m[1]!)
      : [...text.matchAll(/\b[A-Za-z_]\w*(?:\s*<[^;<>]*>)?[\s*&]+([A-Za-z_]\w*)\s*(?=[=;,[({:])/g)].map((m) => m[1]!)
  return new Set(language === 'wgsl' ? [...declared, ...names] : declared)
}

type Names = [taken: string, first: string, own: string]

function entryOf(
  { code, report }: FixCase,
  kernel: KernelText,
  { call, head, declared, item, uses }: Append,
  { kept, statements }: Moved,
  threads: number,
): readonly Edit[] {
  const isCuda = code.language === 'cuda'
  const type = numberAt(code, call.path)
  const [taken, first, own] = ['taken', 'first', 'own'].map((n) => unusedName(code.bare, n)) as Names
  const none = /^u/.test(type) ? (isCuda ? `(${type})-1` : '0xffffffffu') : '-1'
  const shared: SharedVariable[] = [
    { of: 'block', name: taken, type, isAtomic: true, places: null },
    { of: 'block', name: first, type, isAtomic: false, places: null },
    { of: 'thread', name: own, type, first: none },
    ...kept.map((k): SharedVariable => ({ of: 'thread', name: k.name, type: k.type, first: null })),
  ]
  const load = isCuda ? taken : `atomicLoad(&${taken})`
  const take = `${first} = atomicAdd(${call.target}, ${load});`
  const outer = withEntry(code, kernel, report.kernel.name, threads, {
    shared,
    behind: ({ rank, barrier }) => [
      `if (${rank} == 0${isCuda ? '' : 'u'} && ${load} != 0) { ${take} }`,
      barrier,
      `if (${own} != ${none}) {`,
      `  ${declared} = ${first} + ${own};`,
      ...statements.map((s) => `  ${s}`),
      '}',
    ],
  })
  const keep = (item: Item | null): string =>
    kept
      .filter((k) => k.item === item)
      .map((k) => `${k.name} = ${k.value};`)
      .join(' ')
  const taking = `${keep(null)} ${own} = atomicAdd(&${taken}, ${call.value});`.trim()
  return [
    ...outer,
    { from: item.from, to: item.to, text: head === '' ? taking : `${head}{ ${taking} }` },
    ...uses.flatMap((u) => (u.item ? [{ from: u.item.from, to: u.item.to, text: keep(u.item) }] : [])),
  ]
}
