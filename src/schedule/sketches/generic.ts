// What every nest can have: a thread per point, or, when nothing is known to be parallel, one thread for everything.
// Slow and right; the report says which loops stayed sequential and why.
import { literal, type Binding, type LoopStmt, type Program } from '../../ir/index.ts'
import { nestProgram, type Nest, type Other } from '../nest.ts'
import { reorder } from '../primitives/reorder.ts'
import { split } from '../primitives/split.ts'
import { bindAll, script, step } from '../script.ts'
import { perfectNest } from '../tree.ts'
import type { Scheduled, Sketch } from './sketch.ts'

const block = (axis: 'x' | 'y' | 'z'): Binding => ({ kind: 'block', axis })

/** One thread per point of the parallel loops (which must be rectangular); reductions are serial in each thread. */
export function perPoint(program: Program, part: Nest): Sketch {
  const point = { threads: 128 }
  return {
    name: 'per-point', vectorSizes: {}, space: [point], ladder: [{ step: 'one thread per point', point }],
    build: (p) => ({ program, kernels: [onePerPoint(program, part, p['threads']!)] }),
  }
}

function onePerPoint(program: Program, part: Nest, threads: number): Scheduled {
  const names = part.parallel.map((l) => l.name)
  const last = names[names.length - 1]
  if (last === undefined) return { program: nestProgram(program, part), name: program.name, steps: ['one thread'] }
  const front = names.slice(0, -1)
  let s = script(nestProgram(program, part))
  s = step(s, `one thread per point, ${threads} per block along ${last}`, (q) => split(q, { loop: last, factor: threads, outer: 'block_p', inner: 'thread_p' }))
  const [deep, blocks] = [front.slice(0, -2), front.slice(-2)]
  s = step(s, null, (q) => reorder(q, { order: [...blocks, 'block_p', 'thread_p', ...deep] }))
  s = step(s, null, (q) => bindAll(q, [
    ...blocks.reverse().map((n, i) => [n, block(i === 0 ? 'y' : 'z')] as const), ['block_p', block('x')], ['thread_p', { kind: 'thread', stride: 1 }]]))
  return { program: s.program, name: program.name, steps: s.steps }
}

/** Outer loops that an analysis found parallel run one iteration per thread, their bodies as they are. */
export function perIteration(program: Program, part: Other, parallel: number): Sketch {
  const point = { threads: 64 }
  return {
    name: 'per-iteration', vectorSizes: {}, space: [point], ladder: [{ step: 'one thread per iteration of the parallel loops', point }],
    build: (p) => ({ program, kernels: [onePerIteration(program, part.body, parallel, p['threads']!)] }),
  }
}

function onePerIteration(program: Program, body: readonly LoopStmt[], parallel: number, threads: number): Scheduled {
  const outer = body.find((s) => s.kind === 'loop')
  const declares = body.filter((s) => s.kind === 'declare')
  if (outer?.kind !== 'loop' || body.length !== declares.length + 1) return everything(program, body)
  const names = perfectNest(outer).loops.slice(0, Math.min(parallel, 3)).map((l) => l.name)
  const plain = perfectNest(outer).loops.slice(0, names.length).every((l) => literal(l.lower) === 0 && l.step === 1)
  const last = names[names.length - 1]
  if (!plain || last === undefined) return everything(program, body)
  let s = script({ ...program, body: [outer] })
  s = step(s, `one thread per iteration of ${names.join(', ')}`, (q) => split(q, { loop: last, factor: threads, outer: 'block_p', inner: 'thread_p' }))
  s = step(s, null, (q) => bindAll(q, [
    ...names.slice(0, -1).reverse().map((n, i) => [n, block(i === 0 ? 'y' : 'z')] as const), ['block_p', block('x')], ['thread_p', { kind: 'thread', stride: 1 }]]))
  return { program: s.program, name: program.name, steps: s.steps }
}

/** One thread runs all of it. */
export function sequential(program: Program, part: Other): Sketch {
  const point = { threads: 1 }
  return {
    name: 'sequential', vectorSizes: {}, space: [point], ladder: [{ step: 'one thread runs everything', point }],
    build: () => ({ program, kernels: [everything(program, part.body)] }),
  }
}

const everything = (program: Program, body: readonly LoopStmt[]): Scheduled => ({ program: { ...program, body }, name: program.name, steps: ['one thread runs everything, in the order of the source'] })
