// Whether a launch in other blocks does the same. In: a kernel. Out: whether its threads know their place along x by
// blockIdx · blockDim + threadIdx alone, and by blockDim · gridDim how many they are: then what counts is the thread's
// number in the grid, and larger blocks change nothing. The one idea: what the four numbers flow into, by their uses.
import { allStatements, timesDefined, usesOf, type Builtin, type Kernel, type Operand } from '../../ir/index.ts'

type Part = 'thread' | 'block' | 'size' | 'blocks' | 'before'
const parts: Partial<Record<Builtin, Part>> = {
  'threadIdx.x': 'thread',
  'blockIdx.x': 'block',
  'blockDim.x': 'size',
  'gridDim.x': 'blocks',
}

/** Whether threads are told apart along x by their number in the grid, and blocks by nothing. */
export function numbersThreadsOfTheGrid({ body }: Pick<Kernel, 'body'>): boolean {
  const known = new Map<number, Part>(),
    all = allStatements(body),
    times = timesDefined(all)
  const of = (o: Operand | undefined): Part | undefined => (o?.kind === 'reg' ? known.get(o.id) : undefined)
  for (const s of all) {
    const found = usesOf(s).map(of),
      [a, b] = found
    if (s.kind === 'builtin') {
      const part = parts[s.name]
      if (part !== undefined) known.set(s.dst.id, part)
    } else if (found.every((p) => p === undefined)) continue
    else if (s.kind !== 'op') return false
    else if (s.op === 'copy' || s.op === 'bitcast' || s.op === 'convert') known.set(s.dst.id, a!)
    else if (s.op === 'mul' && isPair(a, b, 'block', 'size')) known.set(s.dst.id, 'before')
    else if (
      !(s.op === 'mul' && isPair(a, b, 'blocks', 'size')) &&
      !(s.op === 'add' && isPair(a, b, 'before', 'thread'))
    )
      return false
  }
  return [...known.keys()].every((id) => times.get(id) === 1)
}

const isPair = (a: Part | undefined, b: Part | undefined, x: Part, y: Part): boolean =>
  (a === x && b === y) || (a === y && b === x)
