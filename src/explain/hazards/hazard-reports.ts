// In: hazards of the simulator, which speaks of KernelIR, and barriers that browsers refuse. Out: one per kind and pair
// of places, in the words of the source, with what to do. The one idea: the access that the report lists at the same
// place says what was written there; both orders of a race, and copies of a statement, are one report.
import { unreachable, type Span } from '../../base/index.ts'
import type { Hazard } from '../../ir/index.ts'
import type { IsUpdate } from './lost-updates.ts'
import { sourcePlace } from '../accesses.ts'
import type { AccessJson, ExplainReport } from '../types.ts'
import { placeOfStmt, type NonUniform } from '../uniformity.ts'
import type { LanguageWords } from '../wording.ts'

type HazardJson = ExplainReport['hazards'][number]

const verbs: Record<AccessJson['op'], string> = { load: 'read', store: 'write', atomic: 'atomic on' }

/**
 * A hazard, and the variables whose contents nobody gave that decide where its accesses go, or the texture whose size
 * nobody gave that they leave.
 */
export interface SeenHazard extends Hazard {
  readonly guessed?: readonly string[]
  readonly unsized?: string
}

/** What the words of hazards are made of. */
export interface HazardSetting {
  readonly list: readonly AccessJson[]
  readonly words: LanguageWords
  /** What the source calls resources. */
  readonly names?: ReadonlyMap<string, string>
  /** Barriers that browsers refuse, and those before which threads may return. */
  readonly refused?: readonly NonUniform[]
  readonly missed?: readonly NonUniform[]
  /** Whether the store at a place updates what the load at another has read. */
  readonly isUpdate?: IsUpdate
}

/** All hazards, those that browsers refuse first. */
export function hazardReports(hazards: readonly SeenHazard[], setting: HazardSetting): HazardJson[] {
  const { words, refused = [], missed = [] } = setting
  const groups = new Map<string, SeenHazard[]>()
  for (const h of hazards) {
    const key = [
      h.kind,
      h.kind === 'race' ? '' : h.ops[0],
      ...[h.at, h.other].map((p) => (p ? `${p.line}:${p.column}` : '')).sort(),
    ].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), h])
  }
  const ran = withoutRepeats(
    withUpdates([...groups.values()], setting.isUpdate).map((g) => ({
      json: withReturn(report(g, setting), g.some(isReturned), missed),
      guessed: g.every((h) => h.guessed) ? (g[0]?.guessed ?? []) : [],
    })),
  )
  const statics = refused.map((r) => refusal(r, ran, words))
  return [...statics, ...ran.filter((h) => !statics.some((s) => h.kind === 'barrier-divergence' && same(h.at, s.at)))]
}

interface Told {
  readonly json: HazardJson
  /** What nobody gave, of a note that is about that. */
  readonly guessed: readonly string[]
}

/** Places of notes that one note lists. */
const mostPlaces = 8

/** Notes of one kind about what the same variables decide, as one: giving those settles all. */
function withoutRepeats(all: readonly Told[]): readonly HazardJson[] {
  const groups = new Map<string, Told[]>()
  for (const [i, told] of all.entries()) {
    const { json, guessed } = told,
      key = guessed.length === 0 || json.level !== 'note' ? String(i) : [json.kind, ...guessed].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), told])
  }
  return [...groups.values()].flatMap(([first, ...others]): readonly HazardJson[] => {
    if (!first) return []
    if (others.length === 0) return [first.json]
    const lines = [...new Set(others.flatMap(({ json }) => json.at?.line ?? []))].sort((a, b) => a - b),
      shown = lines.slice(0, mostPlaces).join(', '),
      more = lines.length > mostPlaces ? ', …' : '',
      where = lines.length === 0 ? '' : ` (line${lines.length > 1 ? 's' : ''} ${shown}${more})`
    return [
      {
        ...first.json,
        message: `${first.json.message}; the same holds for ${others.length} more${where}`,
        count: [first, ...others].reduce((n, { json }) => n + json.count, 0),
      },
    ]
  })
}

/**
 * Races of a load with the store that updates what it read, as one with those of the store with itself: where the
 * latter are, the place is the same for several threads, and updates are lost.
 */
function withUpdates(groups: readonly SeenHazard[][], isUpdate: IsUpdate | undefined): readonly SeenHazard[][] {
  if (!isUpdate) return groups
  const joined = new Map<SeenHazard[], SeenHazard[]>()
  for (const twice of groups) {
    const store = twice.find(isTwoWrites)
    if (!store || !isAtOnePlace(store)) continue
    const reads = groups.find((g) => g !== twice && g.some((h) => updates(h, store, isUpdate)))
    if (reads && !joined.has(reads)) joined.set(reads, twice)
  }
  const gone = new Set(joined.values())
  return groups
    .filter((g) => !gone.has(g))
    .map((g) => {
      const more = joined.get(g)
      return more ? [...g.filter(isFromStore), ...g.filter((h) => !isFromStore(h)), ...more] : g
    })
}

const isTwoWrites = ({ kind, ops: [a, b] }: SeenHazard): boolean => kind === 'race' && a === 'store' && b === 'store'

const isFromStore = ({ ops: [a, b] }: SeenHazard): boolean => a === 'store' && b === 'load'

const isAtOnePlace = ({ at, other }: SeenHazard): boolean => other === undefined || isAt(at, other)

const isAt = (a: Span | undefined, b: Span | undefined): boolean =>
  a?.file === b?.file && a?.line === b?.line && a?.column === b?.column

/** Whether a race is one of a load and the store of the same update. */
function updates({ kind, ops: [a, b], at, other }: SeenHazard, store: SeenHazard, isUpdate: IsUpdate): boolean {
  if (kind !== 'race') return false
  if (a === 'load' && b === 'store') return isAt(other, store.at) && isUpdate(at, other)
  return a === 'store' && b === 'load' && isAt(at, store.at) && isUpdate(other, at)
}

/** A barrier before which threads returned, with the place of the condition. */
function withReturn(h: HazardJson, hasReturned: boolean, missed: readonly NonUniform[]): HazardJson {
  const why = hasReturned ? missed.find((m) => same(h.at, sourcePlace(m.barrier.at)))?.condition : undefined
  const place = sourcePlace(why && placeOfStmt(why))
  return place ? { ...h, other: place, message: `${h.message} (the condition is at line ${place.line})` } : h
}

/** Threads of the block are gone: devices go on without them. */
const isReturned = (h: Pick<Hazard, 'returned'>): boolean => h.returned === true

const same = (a: HazardJson['at'], b: HazardJson['at']): boolean => a?.line === b?.line && a?.column === b?.column

function report(group: readonly SeenHazard[], { list, words, names = new Map() }: HazardSetting): HazardJson {
  const [first] = group as [SeenHazard, ...SeenHazard[]], // groups are made with their first
    h = group.find((x) => x.within !== 'warp') ?? first // what two warps race for, no barrier of a warp orders
  const said = sentences(h, group.some(isTwoWrites), list, words),
    { message, fix } = guessedSentences(h, said)
  return {
    kind: h.kind,
    level: group.every((x) => x.harmless !== undefined || x.guessed || x.unsized || isReturned(x)) ? 'note' : 'error',
    at: sourcePlace(h.at),
    other: sourcePlace(h.other),
    message,
    fix,
    example: inWords(h.example, words).replace(/'([^']+)'/g, (quoted, name: string) =>
      names.has(name) ? `'${names.get(name)}'` : quoted,
    ),
    resource: h.resource === undefined ? null : (names.get(h.resource) ?? h.resource),
    bytes: h.bytes ?? null,
    within: h.within ?? null,
    count: group.reduce((n, x) => n + x.count, 0),
  }
}

/** A barrier that WGSL does not allow; with the example of the run when threads really missed it. */
function refusal({ barrier, condition }: NonUniform, ran: readonly HazardJson[], words: LanguageWords): HazardJson {
  const at = sourcePlace(barrier.at)
  const seen = ran.find((h) => h.kind === 'barrier-divergence' && same(h.at, at))
  const why = placeOfStmt(condition)
  return {
    kind: 'barrier-divergence',
    level: 'error',
    at,
    other: sourcePlace(why),
    resource: null,
    bytes: null,
    within: null,
    count: seen?.count ?? 0,
    message:
      `this barrier stands in non-uniform control flow` +
      (why ? ` (the condition at line ${why.line} may differ between ${words.threads} of a ${words.block})` : '') +
      ': browsers refuse to create this shader',
    example: seen?.example ?? `all ${words.threads} arrived in the ${words.blocks} that were run`,
    fix:
      `let all ${words.threads} reach it: guard only the accesses with the condition and put the barrier after ` +
      `the guarded part, or make the condition one of ${words.block} and constants`,
  }
}

/** Bytes before a buffer that no slip of an index reaches: what 32 bits that overflowed lead to. */
const farBefore = 2 ** 28

/** Whether an access out of bounds lies so far before its buffer that its index overflowed. */
const overflowed = (h: Pick<Hazard, 'kind' | 'bytes'>): boolean =>
  h.kind === 'out-of-bounds' && (h.bytes?.from ?? 0) < -farBefore

const guardOf = (a: AccessJson | undefined, words: LanguageWords): string =>
  a?.space === 'shared' || a?.space === 'local' ? words.guardOwn : words.guard

const inWords = (example: string, words: LanguageWords): string =>
  example.replace(/\bblock\b/g, words.block).replace(/\bthread\b/g, words.thread)

/** What is written at a place; where a value is read and written in one statement, `prefer` decides. */
function accessAt(
  place: Span | undefined,
  list: readonly AccessJson[],
  prefer?: AccessJson['op'],
): AccessJson | undefined {
  const here = list.filter((a) => place && a.at?.line === place.line && a.at.column === place.column)
  return here.find((a) => a.op === prefer) ?? here[0]
}

const named = (a: AccessJson | undefined): string => (a ? `${verbs[a.op]} \`${a.text}\`` : 'the access')

/** The sentences, where contents that were not given decide whether there is anything to mend. */
function guessedSentences(
  { guessed, unsized }: SeenHazard,
  { message, fix }: { readonly message: string; readonly fix: string },
): { readonly message: string; readonly fix: string } {
  if (unsized !== undefined)
    return {
      message: `${message}; the size of '${unsized}' follows from the launch, since nobody gave it`,
      fix: `give it (--buffer '${unsized}=FORMAT[WIDTHxHEIGHT]'); if it stays: ${fix}`,
    }
  if (!guessed) return { message, fix }
  const names = guessed.map((n) => `'${n}'`).join(', ')
  return {
    message: `${message}; where it goes follows from ${names}, whose contents nobody gave: integers and pointers are 0`,
    fix: `give them (--buffer NAME=TYPE[COUNT]:@file, --arg NAME.member=VALUE); if it stays: ${fix}`,
  }
}

function sentences(
  h: Hazard,
  isWrittenTwice: boolean,
  list: readonly AccessJson[],
  words: LanguageWords,
): { message: string; fix: string } {
  const hasMasks = words.warpBarrier !== null
  const first = accessAt(h.at, list, h.ops[0])
  switch (h.kind) {
    case 'race':
      return race(h, first, accessAt(h.other, list, h.ops[1] ?? h.ops[0]), isWrittenTwice, list, words)
    case 'out-of-bounds':
      if (h.harmless === 'discarded')
        return {
          message:
            `${named(first)} goes out of bounds where its value is not used: WGSL gives some element or 0 there, and ` +
            `what the kernel does is the same with other values`,
          fix: 'nothing; to save the read, do it only where its index is inside: if (…) { value = …; }',
        }
      return h.bytes === undefined
        ? {
            message:
              `${named(accessAt(h.at, list, 'load'))} goes outside the texture; such reads give 0 here, and 0 ` +
              `or another texel on other GPUs`,
            fix: 'keep the coordinates within textureDimensions(), and level, layer and sample within theirs',
          }
        : {
            message:
              `${named(first)} goes out of bounds; such reads give 0 here and such writes are dropped ` +
              `(${words.outside})${overflowed(h) ? '; the index left 32 bits and wrapped to what is less than 0' : ''}`,
            fix: overflowed(h) ? words.overflow : guardOf(first, words),
          }
    case 'uninitialized':
      if (h.harmless === 'zeroed')
        return {
          message:
            `${named(first)} finds elements that no ${words.thread} of the ${words.block} has written: they are ` +
            `0, as ${words.block} memory begins`,
          fix:
            `nothing where 0 is meant; otherwise write all of '${first?.resource ?? h.resource}' that is read: loops ` +
            `and arrays may ask for more ${words.threads} than the ${words.block} has`,
        }
      return first
        ? {
            message: `${named(first)} finds memory that nothing has written`,
            fix: `write all of '${first.resource}' that is read, and put a barrier between`,
          }
        : {
            message:
              `a ${words.warp} operation reads ${words.thread === 'thread' ? 'a thread' : 'an invocation'} that is ` +
              'not active' +
              (hasMasks ? ', or its mask leaves out one that executes it or names one that does not' : '') +
              '; it got its own value, other GPUs may give anything',
            fix:
              `let all ${words.threads} of the ${words.warp} take part` +
              (hasMasks ? ', and name those that do, and no others, in the mask' : ''),
          }
    case 'barrier-divergence':
      if (isReturned(h))
        return {
          message:
            `some ${words.threads} of the ${words.block} return before this barrier, which CUDA C++ asks all of them ` +
            `to reach; devices from Volta on wait for those that are left, older ones may not`,
          fix: `let all ${words.threads} reach it: make the return a condition of the accesses`,
        }
      return {
        message: `not all ${words.threads} of the ${words.block} reach this barrier`,
        fix: `let all ${words.threads} reach it: guard only the accesses, not the barrier`,
      }
    case 'misaligned':
      return { message: `${named(first)} needs an address that is a multiple of its size`, fix: 'align it' }
    case 'division-by-zero':
      return h.harmless === 'defined'
        ? {
            message: 'an integer is divided by 0: WGSL gives a / 0 = a and a % 0 = 0',
            fix: 'nothing where the result is not used then; otherwise divide only where the divisor is not 0',
          }
        : {
            message: 'an integer is divided by 0, which C++ leaves open',
            fix: 'divide only where the divisor is not 0',
          }
    case 'shift-too-far':
      return {
        message: 'an integer is shifted by as many bits as it has, or more, which C++ leaves open',
        fix: 'shift only where the distance is less (n < 32 ? x << n : 0), or shift a wider integer (1ull << n)',
      }
    default:
      return unreachable(h.kind)
  }
}

function race(
  h: Hazard,
  a: AccessJson | undefined,
  b: AccessJson | undefined,
  isWrittenTwice: boolean,
  list: readonly AccessJson[],
  words: LanguageWords,
): { message: string; fix: string } {
  const line = a?.at?.line ?? h.at?.line
  const between = h.within === 'grid'
  const order = between
    ? `in different ${words.blocks}, which nothing orders within a ${words.dispatch}`
    : 'with no barrier between'
  const isOneLine = a !== undefined && b !== undefined && a.text === b.text && a.at?.line === b.at?.line,
    isSplit = isWrittenTwice && h.other !== undefined && !isAt(h.at, h.other) && isFromStore(h)
  if (isSplit || (isOneLine && isWrittenTwice && updatesItself(a, list))) {
    const what = isSplit ? `${named(b)} (line ${h.other?.line}) and ${named(a)}: an element` : `\`${a?.text}\``
    return {
      message:
        `${what} is read, changed and written back by several ${words.threads} at once, ` +
        `${between ? order : 'which is not atomic'}: updates are lost`,
      fix:
        `make the element atomic and use atomicAdd() or its kin, or let each ${words.thread} keep its own ` +
        `result and combine them at the end`,
    }
  }
  if (h.harmless === 'unordered atomics')
    return {
      message:
        `${named(a)}${b && b !== a ? ` and ${named(b)} (line ${h.other?.line})` : ''}: one updates what other ` +
        `${words.threads} of the ${words.block} read or set, ${order}: being atomic orders nothing, what is read may ` +
        `lack updates`,
      fix:
        `nothing where any value on the way will do; where all updates are to be in, put ${words.barrier} between ` +
        `them and the other access`,
    }
  if (a?.op === 'atomic' && (b ?? a).op === 'atomic')
    return {
      message:
        `${named(a)}${b && b !== a ? ` and ${named(b)}` : ''}: a value is read and written back in two steps, ` +
        `${order}: each is atomic, both are not, and updates of other ${words.threads} are lost`,
      fix: 'make it one step: atomicAdd(), atomicMax() or their kin, or a loop with a compare-and-exchange',
    }
  if (h.harmless === 'same value')
    return {
      message: `${named(a)}: different ${words.threads} write the same value, in no order`,
      fix:
        `nothing where all that matters is that one of them writes; the languages call it a data race all the same: ` +
        `an atomic store or max says what is meant`,
    }
  const pair = h.other && (!b || b !== a) ? `${named(a)} and ${named(b)} (line ${h.other.line})` : named(a)
  return {
    message: `${pair}: different ${words.threads} touch the same bytes ${order}`,
    fix:
      words.warpBarrier !== null && isWithinWarp(h)
        ? `put ${words.warpBarrier} between what reads and what writes: the ${words.threads} of a ${words.warp} need ` +
          'not go in step'
        : raceFix(between, a !== undefined && a === b, line, h.other?.line, a ?? b, words),
  }
}

/** Whether a read and a write of two threads of one warp meet. */
const isWithinWarp = ({ within, ops: [first, second] }: Hazard): boolean =>
  within === 'warp' && second !== undefined && first !== second

/** Whether the same text is both read and written on its line: `x += 1`, `x = x + 1`. */
const updatesItself = (a: AccessJson, list: readonly AccessJson[]): boolean =>
  readsItself(a.text) &&
  (['load', 'store'] as const).every((op) =>
    list.some((x) => x.op === op && x.text === a.text && x.resource === a.resource && x.at?.line === a.at?.line),
  )

/** Of CUDA the text is a statement: whether what it assigns to is what it reads. */
function readsItself(text: string): boolean {
  const [, target, op, value] = /^(.*?[\w\])])\s*((?:[-+*/%&|^]|<<|>>)?=)(?!=)(.*)$/s.exec(text) ?? []
  const squeezed = (t: string): string => t.replace(/\s+/g, '')
  // A statement without an assignment: of a call, say, whose body stands elsewhere.
  if (op === undefined) return !/[;…]\s*$/.test(text) || /\+\+|--/.test(text)
  return op !== '=' || squeezed(value!).includes(squeezed(target!)) // both are there with the operator
}

function raceFix(
  between: boolean,
  same: boolean,
  line: number | undefined,
  other: number | undefined,
  a: AccessJson | undefined,
  words: LanguageWords,
): string {
  if (between)
    return (
      `no barrier orders ${words.blocks}: write to a second buffer, read the first, and exchange them for the next ` +
      `${words.dispatch}, let each ${words.block} write its own part, use atomics, or do the second step in another ` +
      `${words.dispatch}`
    )
  const isStorage = a?.space === 'global' && words.block === 'workgroup'
  const barrier = isStorage ? 'storageBarrier()' : words.barrier
  const others = isStorage ? ' (workgroupBarrier() orders workgroup memory only)' : ''
  if (same) return `let one ${words.thread} write it, or give each ${words.thread} an element of its own`
  if (line !== undefined && other !== undefined && line !== other)
    return (
      `put ${barrier} between lines ${Math.min(line, other)} and ${Math.max(line, other)}, and at the end of a ` +
      `loop around them${others}`
    )
  return `put ${barrier} after it in every round of the loop, or give each ${words.thread} an element of its own`
}
