// Loops that must run in order, in blocks of their iterations or by one block of threads. Random programs: the rewrite against the
// source, then whole plans, simulated with hazards watched, at sizes around a block. Factorisations and solves as people
// write them: what they become, the same on SwiftShader and through nvcc.
import { describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { emitCudaLauncher, emitPlan } from '../../src/emit/index.ts'
import { loop as loopOf, loopVar, printProgram, type Loop, type Program } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { inBlocks } from '../../src/schedule/blocked.ts'
import { mapExpr, mapStmtExprs } from '../../src/schedule/tree.ts'
import { wavesOf } from '../../src/schedule/waves.ts'
import { freshArrays, referenceOf } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'
import { errorOf } from '../emit/plans.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { compileCuda, nvccAvailable } from '../support/nvcc.ts'
import { eliminatingProgram } from './eliminating.ts'
import { results, sketchNames, verified } from './support.ts'

/** The body with a size as a variable. */
const asVariable = (p: Program, name: string): Program['body'] => p.body.map((s) => mapStmtExprs(s, (e) => mapExpr(e, (x) => (x.kind === 'size' && x.name === name ? loopVar(name) : undefined))))

/** Loops in order that compute what `p` does: its own and those of its waves. */
function ordered(p: Program): readonly Program[] {
  const waves = wavesOf(p, 'now', 2).map((w): Program => ({ ...p, body: [loopOf('now', w.upper, asVariable({ ...p, body: w.body }, 'now'), { lower: w.lower })] }))
  return [p, ...waves]
}

/** `p`, one loop, in blocks of `size`, as a plain program again. */
function blockedAgain(p: Program, size: number): Program | undefined {
  const l = p.body[0] as Loop // one loop
  const b = inBlocks(p, l, size)
  return b && { ...p, body: [loopOf(b.variable, l.upper, asVariable({ ...p, body: b.body }, b.variable), { lower: l.lower, step: size })] }
}

test('random eliminations in blocks compute what the source does', () => {
  let made = 0
  for (let seed = 1; seed <= 90; seed++) {
    const p = eliminatingProgram(seed)
    for (const q of ordered(p)) {
      const again = blockedAgain(q, 3)
      if (!again) continue
      made++
      for (const n of [1, 2, 3, 4, 8]) expect({ seed, n, program: printProgram(again), got: results(again, ['A', 'B', 'x'], { n }, seed) }).toEqual({ seed, n, program: printProgram(again), got: results(p, ['A', 'B', 'x'], { n }, seed) })
    }
  }
  expect(made).toBeGreaterThan(60)
})

test('random eliminations: reference = simulated', () => {
  const seen = new Set<string>()
  for (let seed = 101; seed <= 124; seed++) {
    const p = eliminatingProgram(seed), a = analyse(p), r = random(seed)
    const points = a.parts.map(({ sketch }) => { const all = [...sketch.ladder.map((x) => x.point), ...sketch.space]; return all[r.int(0, all.length - 1)]! })
    const sizes = [{ n: [5, 31, 33, 67][seed % 4]! }]
    const v = verified(a, points, sizes, seed % 2 === 0 ? { warp: 32 } : {}, seed)
    expect({ seed, ok: v.ok, why: v.why, points, program: v.ok ? '' : printProgram(p) }).toEqual({ seed, ok: true, why: undefined, points, program: '' })
    a.parts.forEach((x) => seen.add(x.sketch.name))
    if (a.order.some((s) => typeof s !== 'number' && s.step > 1)) seen.add('blocks')
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(['blocks', 'one-block', 'per-iteration']))
})
