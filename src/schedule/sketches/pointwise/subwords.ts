// Elements of one or two bytes: threads own whole words of what is stored, and load whole words of what they read,
// neighbours' included, which they take apart in registers. In: what is done for each point of parallel loops. Out: a
// sketch with points for such threads too. `subword-layout.ts` says how cells lie on words, `subword-kernel.ts` writes
// the kernel.
import {
  bytesOf,
  type Loop,
  type Program,
  nestProgram,
  type Nest,
  type Other,
  exprKey,
  namesOf,
  perfectNest,
  readsIn,
  uses,
} from '../../../ir/index.ts'
import { aligned, type Point, type Scheduled, type Sketch } from '../sketch.ts'
import { fromZero } from '../cyclic-distribution.ts'
import { wordTiles, type WordsPoint } from './subword-kernel.ts'
import { withOwnNames, vectorElements, lyingOf, termsIn, type Cells, type Lying } from './subword-layout.ts'

/** Iterations of the windows of all cells of a thread at most. */
const mostTerms = 1300
/** Bytes of workgroup memory in which words change threads: every device of WebGPU has so much. */
const mostShown = 16384

const inWords = (p: Point): p is WordsPoint => Boolean(p['words'])

/** `sketch` with points whose threads own whole words, if the cells have bytes that lie so. */
export function withWords<P extends Point>(
  program: Program,
  cells: Cells | undefined,
  sketch: Sketch<P>,
): Sketch<P | WordsPoint> {
  const lying = cells && lyingOf(program, cells),
    last = sketch.ladder.at(-1),
    points = lying ? pointsOf(lying) : [],
    [best] = points
  if (!lying || !last || !best) return sketch
  const sizes = Object.fromEntries([...lying.multiples].map((name) => [name, vectorElements])),
    requires = aligned(sizes),
    always = requires.length === 0
  const made = (p: WordsPoint): Scheduled => wordTiles(lying, p)
  return {
    ...sketch,
    ladder: [
      ...sketch.ladder,
      { step: 'whole words: each thread loads, takes apart and stores words of its own', point: best },
    ],
    space: [...sketch.space, ...points],
    build: (p) =>
      !inWords(p)
        ? sketch.build(p)
        : always
          ? { program, kernels: [made(p)] }
          : { ...sketch.build(last.point), vectorSizes: sizes },
    ...(always
      ? {}
      : {
          buildExact: (p: P | WordsPoint) =>
            inWords(p) ? { program, kernels: [made(p)], vectorSizes: sizes, requires } : sketch.buildExact?.(p),
        }),
  }
}

/** Computations over the same loops, one after the other. */
export function cellsOfNests(program: Program, nests: readonly Nest[]): Cells | undefined {
  const [head] = nests,
    taken = namesOf(program)
  if (!head || nests.some((n) => n.before)) return undefined
  return {
    parallel: head.parallel,
    body: nests.flatMap((n) => withOwnNames(nestProgram(program, { ...n, parallel: [] }).body, taken)),
  }
}

/** Iterations of loops that an analysis found parallel. */
export function cellsOfOther(part: Other): Cells | undefined {
  const [outer, more] = fromZero(
    part.body.filter((s) => s.kind !== 'declare'),
    part.parallel,
  )
  if (outer?.kind !== 'loop' || more) return undefined
  const loops = perfectNest(outer).loops.slice(0, part.parallel),
    parallel = loops.map((l): Loop => ({ ...l, body: [] }))
  return { parallel, body: [...part.body.filter((s) => s.kind === 'declare'), ...loops.at(-1)!.body] } // one at least
}

/** The likeliest first: a few rows where a window spans them. `exact` asks for the variant in which they stand. */
function pointsOf(lying: Lying): readonly WordsPoint[] {
  const at = (words: number, rows: number, tx: number, ty: number): WordsPoint => ({ words, rows, tx, ty, exact: 1 })
  const cells = [1, 2, 4, 8, 16].filter((n) => lying.stored.every((s) => (s.step * n) % vectorElements === 0)),
    few = cells.slice(0, 2),
    terms = termsIn(lying.body)
  const shown = (p: WordsPoint): number =>
    lying.stored.reduce(
      (n, s) =>
        n + (s.step * p.words > vectorElements ? p.words * p.rows * p.tx * p.ty * s.step * bytesOf[s.array.type] : 0),
      0,
    )
  if (!lying.rows)
    return cells
      .slice(0, 3)
      .flatMap((n) => [256, 128, 512].map((tx) => at(n, 1, tx, 1)))
      .filter((p) => shown(p) <= mostShown)
  const deep = terms > 1 || spansRows(lying),
    all = (deep ? [4, 2, 8] : [1, 2, 4]).flatMap((rows) =>
      few.flatMap((n) =>
        [
          [32, 8],
          [32, 4],
          [64, 4],
        ].map(([tx, ty]) => at(n, rows, tx!, ty!)),
      ),
    ) // two each
  return all.filter((p) => p.rows * p.words * terms <= mostTerms && shown(p) <= mostShown) // they have both
}

/** Whether an array is read at several rows. */
function spansRows({ body, rows }: Lying): boolean {
  const found = new Map<string, Set<string>>()
  for (const r of readsIn(body)) {
    const row = r.index.slice(0, -1)
    if (rows && row.some((e) => uses(e, rows.name)))
      found.set(r.array, (found.get(r.array) ?? new Set()).add(row.map(exprKey).join()))
  }
  return [...found.values()].some((keys) => keys.size > 1)
}
