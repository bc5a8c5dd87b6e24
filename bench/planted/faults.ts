// In: a right kernel. Out: the same with one fault each, of one line, and what a report must say of it. The one idea: a
// fault is a rule of the text (mutation testing, DeMillo, Lipton and Sayward 1978), so that it can be planted in any
// kernel; what it breaks decides which hazard or finding at which lines counts as found.
import type { ExplainReport, Rule } from '../../src/explain/index.ts'
import type { HazardKind } from '../../src/ir/index.ts'
import { accessesIn, blockAt, codeOf, isIn, loopsAround, type Range, type Subject } from './text.ts'

/** What explaining gave: a report, or the refusal with its line. */
export interface Outcome {
  readonly report?: ExplainReport
  readonly refusal?: { readonly code: string; readonly line: number | undefined }
}

export interface Plant {
  readonly fault: string
  readonly line: number
  readonly text: string
  /** What stands on the next line instead. */
  readonly next?: string
  /** What stands on the first line instead, which is a comment. */
  readonly first?: string
  /** Blocks along x that are launched too many. */
  readonly surplus?: number
  /** Whether what came out names the fault. */
  readonly isNamed: (o: Outcome) => boolean
}

type Place = { readonly line?: number | undefined } | null

interface Fault {
  readonly name: string
  /** The fault at a line, if there is one: the new line and what names it. */
  readonly at: (line: string, n: number, s: Subject) => readonly Omit<Plant, 'fault' | 'line'>[]
}

const hazards = (o: Outcome, kinds: readonly HazardKind[]): ExplainReport['hazards'] =>
  (o.report?.hazards ?? []).filter((h) => kinds.includes(h.kind))

const lineOf = (p: Place): number | undefined => p?.line

/** Refused before it ran, at one of the lines. */
const refusedAt = ({ refusal }: Outcome, range: Range): boolean =>
  refusal !== undefined && refusal.code !== 'simulate.steps' && isIn(refusal.line, range)

/** A hazard of one of the kinds, one of whose places is within the lines. */
const hazardIn =
  (kinds: readonly HazardKind[], range: Range) =>
  (o: Outcome): boolean =>
    hazards(o, kinds).some((h) => isIn(lineOf(h.at), range) || isIn(lineOf(h.other), range))

const at = (n: number): Range => ({ from: n, to: n })

const findingIn =
  (rules: readonly Rule[], range: Range) =>
  (o: Outcome): boolean =>
    (o.report?.findings ?? []).some((f) => rules.includes(f.rule) && (f.at === null || isIn(f.at.line, range)))

/** A race of an access before and one after the line, or of two in a loop around it. */
const raceAcross =
  (n: number, s: Subject) =>
  (o: Outcome): boolean => {
    const loops = loopsAround(s.lines, n)
    return hazards(o, ['race', 'uninitialized']).some((h) => {
      const [a, b] = [lineOf(h.at) ?? n, lineOf(h.other) ?? lineOf(h.at) ?? n]
      return (Math.min(a, b) <= n && Math.max(a, b) >= n) || loops.some((l) => isIn(a, l) || isIn(b, l))
    })
  }

const isBarrier = (line: string): boolean =>
  /^\s*(?:workgroupBarrier|storageBarrier|__syncthreads)\(\);\s*$/.test(codeOf(line))
const indent = (line: string): string => /^\s*/.exec(line)![0]

/** A line with `what` put for characters. */
const spliced = (line: string, { from, to }: Range, what: string): string => line.slice(0, from) + what + line.slice(to)

/** Comparisons `a < b` of a condition. */
const comparison = /([\w.)\]]+)\s*(<|>=)\s*([\w.]+)/

const guard = (line: string): boolean =>
  /^\s*(?:\}\s*else\s*)?if\s*\(/.test(codeOf(line)) && comparison.test(codeOf(line))

/** What a guard keeps from running: its block, or where it leaves, the rest of the loop or of the function. */
function guardedBy(n: number, s: Subject): { readonly leaves: boolean; readonly range: Range } {
  const block = blockAt(s.lines, n),
    text = s.lines
      .slice(n - 1, block.to)
      .map(codeOf)
      .join(' ')
  if (/\breturn\b/.test(text)) return { leaves: true, range: s.body }
  const loop = loopsAround(s.lines, n).at(-1)
  return /\b(?:break|continue)\b/.test(text) && loop ? { leaves: true, range: loop } : { leaves: false, range: block }
}

/** The line of the first statement that declares no shared array. */
const firstStatement = (s: Subject): number =>
  s.lines.findIndex(
    (l, i) => i >= s.body.from && isIn(i + 1, s.body) && codeOf(l).trim().endsWith(';') && !l.includes('__shared__'),
  ) + 1

const stores = (line: string, s: Subject): ReturnType<typeof accessesIn> =>
  accessesIn(line, s.buffers).filter((a) => a.isStore)
const loads = (line: string, s: Subject): ReturnType<typeof accessesIn> =>
  accessesIn(line, s.buffers).filter((a) => !a.isStore)
const one = (s: Subject): string => (s.language === 'wgsl' ? '1u' : '1')

export const faults: readonly Fault[] = [
  {
    name: 'barrier left out',
    at: (line, n, s) => (isBarrier(line) ? [{ text: '', isNamed: raceAcross(n, s) }] : []),
  },
  {
    name: 'barrier of another kind',
    at: (line, n, s) =>
      isBarrier(line)
        ? [
            {
              text: line
                .replace('workgroupBarrier', 'storage#')
                .replace('storageBarrier', 'workgroup#')
                .replace('#', 'Barrier')
                .replace('__syncthreads', '__syncwarp'),
              isNamed: raceAcross(n, s),
            },
          ]
        : [],
  },
  {
    name: 'barrier for some threads',
    at: (line, n, s) =>
      isBarrier(line) && s.rank !== null
        ? [
            {
              text: `${indent(line)}if (${s.rank} < 8) { ${line.trim()} }`,
              isNamed: hazardIn(['barrier-divergence'], at(n)),
            },
          ]
        : [],
  },
  {
    name: 'return before a barrier',
    at: (line, n, s) =>
      isBarrier(line) && s.rank !== null && loopsAround(s.lines, n).length === 0
        ? [
            {
              text: `${indent(line)}if (${s.rank} == 7) { return; } ${line.trim()}`,
              isNamed: hazardIn(['barrier-divergence'], { from: n, to: s.body.to }),
            },
          ]
        : [],
  },
  {
    name: 'barrier too early',
    at: (line, n, s) => {
      const after = s.lines[n]
      const isStore = after !== undefined && isBarrier(after) && accessesIn(line, s.shared).some((a) => a.isStore)
      return isStore ? [{ text: after, next: line, isNamed: raceAcross(n + 1, s) }] : []
    },
  },
  {
    name: 'fence left out',
    at: (line, _n, s) =>
      /^\s*__threadfence\(\);\s*$/.test(codeOf(line)) ? [{ text: '', isNamed: hazardIn(['race'], s.body) }] : [],
  },
  {
    name: 'guard left out',
    at: (line, n, s) => {
      if (!guard(line)) return []
      const { leaves, range } = guardedBy(n, s)
      const text = codeOf(line).replace(/if\s*\(.*?\)(?=\s*(?:\{|return|break|continue|$))/, `if (${!leaves})`)
      // A loop that nothing leaves may be named as one that never ends.
      const isNamed = (o: Outcome): boolean =>
        hazardIn(['out-of-bounds', 'race', 'uninitialized'], range)(o) || (leaves && isIn(o.refusal?.line, range))
      return [{ text, isNamed }]
    },
  },
  {
    name: 'guard off by one',
    at: (line, n, s) => {
      if (!guard(line)) return []
      const { range } = guardedBy(n, s)
      const text = codeOf(line).replace(comparison, (_, a: string, op: string, b: string) =>
        op === '<' ? `${a} <= ${b}` : `${a} > ${b}`,
      )
      return [{ text, isNamed: hazardIn(['out-of-bounds', 'race'], range) }]
    },
  },
  {
    name: 'loop off by one',
    at: (line, n, s) => {
      const bound = /^(\s*for\s*\(.*?;\s*\w+\s*)<(?!=)(.*)$/.exec(codeOf(line))
      return bound
        ? [
            {
              text: `${bound[1]}<=${bound[2]}`,
              isNamed: hazardIn(['out-of-bounds', 'race', 'uninitialized'], blockAt(s.lines, n)),
            },
          ]
        : []
    },
  },
  {
    name: 'index one too far',
    at: (line, n, s) =>
      [...stores(line, s), ...loads(line, s)].slice(0, 1).map((a) => ({
        text: spliced(line, a, `${a.index} + ${one(s)}`),
        isNamed: (o) => refusedAt(o, at(n)) || hazardIn(['out-of-bounds', 'race'], at(n))(o),
      })),
  },
  {
    name: 'index below 0',
    at: (line, n, s) =>
      [...loads(line, s), ...stores(line, s)].slice(0, 1).map((a) => ({
        text: spliced(line, a, `${a.index} - ${one(s)}`),
        isNamed: (o) => refusedAt(o, at(n)) || hazardIn(['out-of-bounds', 'race'], at(n))(o),
      })),
  },
  {
    name: 'shared index too far',
    at: (line, n, s) =>
      (/__shared__/.test(line) ? [] : accessesIn(line, s.shared)).slice(0, 1).map((a) => ({
        text: spliced(line, a, `${a.index} + ${one(s)}`),
        isNamed: (o) =>
          refusedAt(o, at(n)) ||
          hazards(o, ['out-of-bounds', 'race', 'uninitialized']).some((h) =>
            [h.at, h.other].some(
              (p) => p && (p.line === n || accessesIn(s.lines[p.line - 1] ?? '', [a.name]).length > 0),
            ),
          ),
      })),
  },
  {
    name: 'update without an atomic',
    at: (line, n, s) => {
      const update = /^(\s*)(?:\w[\w\s]*=\s*)?atomicAdd\(&([^,]+),\s*(.+)\);\s*$/.exec(codeOf(line))
      if (!update) return []
      const [, space, place, value] = update
      const text =
        s.language === 'wgsl'
          ? `${space}atomicStore(&${place}, atomicLoad(&${place}) + ${value});`
          : `${space}${place} += ${value};`
      return [{ text, isNamed: hazardIn(['race'], at(n)) }]
    },
  },
  {
    name: 'one place for two threads',
    at: (line, n, s) =>
      stores(line, s)
        .slice(0, 1)
        .filter((a) => a.index !== '0')
        .map((a) => ({
          text: spliced(line, a, `(${a.index}) / ${s.language === 'wgsl' ? '2u' : '2'}`),
          isNamed: hazardIn(['race'], at(n)),
        })),
  },
  {
    name: 'one place for all',
    at: (line, n, s) =>
      stores(line, s)
        .slice(0, 1)
        .filter((a) => a.index !== '0')
        .map((a) => ({ text: spliced(line, a, '0'), isNamed: hazardIn(['race'], at(n)) })),
  },
  {
    name: 'one value by all',
    at: (line, n, s) =>
      stores(line, s)
        .slice(0, 1)
        .filter((a) => a.index !== '0')
        .map((a) => ({
          text: `${indent(line)}${a.name}[0] = ${s.language === 'wgsl' ? '1' : '1.0f'}; // of all`,
          isNamed: (o) => hazards(o, ['race']).some((h) => h.level === 'note' && lineOf(h.at) === n),
        })),
  },
  {
    name: 'shared array too small',
    at: (line, _n, s) => {
      const isDeclared = s.shared.find((name) =>
        new RegExp(`(?:var<workgroup>\\s*|__shared__[\\w\\s]*)\\b${name}\\b`).test(line),
      )
      if (isDeclared === undefined) return []
      const halved = line.replace(
        /(\[|,\s*)(\d+)(?=\s*(?:\]|>|\+))/,
        (_, open: string, size: string) => `${open}${Math.floor(Number(size) / 2)}`,
      )
      const uses = s.lines.flatMap((l, i) => (accessesIn(l, [isDeclared]).length > 0 ? [i + 1] : []))
      return halved === line
        ? []
        : [
            {
              text: halved,
              isNamed: (o) =>
                uses.includes(o.refusal?.line ?? 0) ||
                hazards(o, ['out-of-bounds']).some((h) => uses.includes(lineOf(h.at) ?? 0)),
            },
          ]
    },
  },
  {
    name: 'workgroup too small',
    at: (line, _n, s) => {
      const halved = line.replace(
          /@workgroup_size\((\d+)/,
          (_, size: string) => `@workgroup_size(${Math.floor(Number(size) / 2)}`,
        ),
        uses = s.lines.flatMap((l, i) => (accessesIn(l, s.shared).length > 0 ? [i + 1] : []))
      return halved === line || s.shared.length === 0
        ? []
        : [
            {
              text: halved,
              isNamed: (o) =>
                hazards(o, ['uninitialized', 'race', 'out-of-bounds']).some((h) => uses.includes(lineOf(h.at) ?? 0)),
            },
          ]
    },
  },
  {
    name: 'array not written first',
    at: (line, n, s) => {
      const [store] = accessesIn(line, s.shared).filter((a) => a.isStore && isIn(n, s.body))
      if (!store || s.language === 'wgsl' || !/[^-+*/]=/.test(line)) return []
      return [
        {
          text: `${indent(line)};`,
          isNamed: (o) =>
            hazards(o, ['uninitialized']).some(
              (h) => accessesIn(s.lines[(lineOf(h.at) ?? 1) - 1]!, [store.name]).length > 0,
            ),
        },
      ]
    },
  },
  {
    name: 'endless loop',
    at: (line, n, s) => {
      const loop = /^(\s*for\s*\(.*;)\s*\w+\s*(?:\+\+|[-+*/]=\s*\w+)\s*\)(.*)$/.exec(codeOf(line))
      return loop
        ? [
            {
              text: `${loop[1]})${loop[2]}`,
              isNamed: (o) =>
                ['simulate.steps', 'explain.steps'].includes(o.refusal?.code ?? '') &&
                isIn(o.refusal?.line, s.language === 'wgsl' ? at(n) : blockAt(s.lines, n)),
            },
          ]
        : []
    },
  },
  {
    name: 'block waits for the others',
    at: (line, n, s) => {
      const isFirst = n === firstStatement(s) && /^\s*\/\//.test(s.lines[0] ?? '')
      if (!isFirst) return []
      const [first, wait] =
        s.language === 'wgsl'
          ? [
              '@group(0) @binding(99) var<storage, read_write> arrived: atomic<u32>;',
              'atomicAdd(&arrived, 1u); while (atomicLoad(&arrived) < 4000000u) { }',
            ]
          : [
              '__device__ unsigned arrived;',
              'atomicAdd(&arrived, 1u); while (atomicAdd(&arrived, 0u) < gridDim.x * blockDim.x) { }',
            ]
      const isNamed = (o: Outcome): boolean =>
        ['simulate.steps', 'explain.steps'].includes(o.refusal?.code ?? '') && o.refusal?.line === n
      return [{ text: `${indent(line)}${wait} ${line.trim()}`, first, isNamed }]
    },
  },
  {
    name: 'a block too many',
    at: (line, n, s) => {
      const isGuarded = s.lines.slice(s.body.from - 1, s.body.to).some((l) => guard(l))
      return n === firstStatement(s) && !isGuarded
        ? [{ text: line, surplus: 1, isNamed: hazardIn(['out-of-bounds'], s.body) }]
        : []
    },
  },
  {
    name: 'shuffle of some lanes',
    at: (line, n, s) =>
      /__shfl_\w+_sync\(/.test(line) && s.rank !== null && line.trim().endsWith(';')
        ? [
            {
              text: `${indent(line)}if (${s.rank} % 32 < 20) { ${line.trim()} }`,
              isNamed: hazardIn(['uninitialized'], at(n)),
            },
          ]
        : [],
  },
  {
    name: 'vector not aligned',
    at: (line, n) => {
      // nvcc gives what is loaded to be stored the line of the store.
      const cast = /(reinterpret_cast<(?:const )?float4 \*>\(\w+ \+ \w+)\)/.exec(line)
      return cast
        ? [
            {
              text: line.replace(cast[1]!, `${cast[1]} + 1`),
              isNamed: hazardIn(['misaligned'], { from: n, to: n + 1 }),
            },
          ]
        : []
    },
  },
  {
    name: 'reads what it writes',
    at: (line, n, s) => {
      const [store] = stores(line, s)
      const read = loads(line, s).find((a) => a.name !== store?.name)
      if (!store || !read) return []
      const text = line.replace(new RegExp(`\\b${read.name}\\[`, 'g'), `${store.name}[`)
      // Each thread its own element is right in place.
      return [{ text, isNamed: hazardIn(['race'], at(n)) }]
    },
  },
  {
    name: 'axes exchanged',
    at: (line, n, s) => {
      const isIds =
        /(?:threadIdx|\bid|\blocal)\.[xy]/.test(line) &&
        /=/.test(line) &&
        accessesIn(line, [...s.buffers, ...s.shared]).length === 0
      const isThreads = s.lines.some((l) => /\bid\.y|threadIdx\.y/.test(l))
      if (!isIds || !isThreads || !/\.x/.test(line)) return []
      const next = s.lines[n] ?? ''
      if (!/(?:threadIdx|\bid|\blocal)\.y/.test(next) && !/\.y/.test(line)) return []
      const text = line.replace(
        /(threadIdx|\bid|\blocal)\.([xy])/g,
        (_, v: string, axis: string) => `${v}.${axis === 'x' ? 'y' : 'x'}`,
      )
      return [
        {
          text,
          isNamed: (o) =>
            findingIn(['UncoalescedGlobalAccess'], s.body)(o) || hazardIn(['race', 'out-of-bounds'], s.body)(o),
        },
      ]
    },
  },
  {
    name: 'column of banks',
    at: (line, _n, s) => {
      const isDeclared = s.shared.find((name) =>
        new RegExp(`(?:var<workgroup>\\s*|__shared__[\\w\\s]*)\\b${name}\\b`).test(line),
      )
      const text = line.replace(/\[33\]/, '[32]').replace(/array<f32, 33>/, 'array<f32, 32>')
      return isDeclared !== undefined && text !== line
        ? [{ text, isNamed: findingIn(['SharedMemoryConflicts'], s.body) }]
        : []
    },
  },
  {
    name: 'elements far apart',
    at: (line, n, s) =>
      loads(line, s)
        .slice(0, 1)
        .filter((a) => /\bi\b|\bid\.x\b|\bx\b|\bt\b/.test(a.index))
        .map((a) => ({
          text: spliced(
            line,
            a,
            s.language === 'wgsl' ? `(${a.index}) * 32u % arrayLength(&${a.name})` : `(${a.index}) * 32 % 4096`,
          ),
          isNamed: (o) => findingIn(['UncoalescedGlobalAccess'], at(n))(o) || hazardIn(['out-of-bounds'], at(n))(o),
        })),
  },
  {
    name: 'all on one counter',
    at: (line, n) => {
      const update = /^(.*atomicAdd\(&\w+\[)(.+)(\],.*)$/.exec(codeOf(line))
      return update && update[2] !== '0'
        ? [{ text: `${update[1]}0${update[3]}`, isNamed: findingIn(['AtomicContention'], at(n)) }]
        : []
    },
  },
]

/** All faults of a kernel, by fault and line. */
export const plants = (s: Subject): readonly Plant[] =>
  faults.flatMap((f) =>
    s.lines.flatMap((line, i) =>
      codeOf(line).trim() === '' || (!isIn(i + 1, s.body) && !/var<workgroup>|@workgroup_size/.test(line))
        ? []
        : f.at(line, i + 1, s).map((p) => ({ ...p, fault: f.name, line: i + 1 })),
    ),
  )
