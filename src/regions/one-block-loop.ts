// In: a loop that the host would run. Out: the same loop as an idiom that a single block runs, provided that it
// contains no other idiom. The one idea: between two iterations, threads of one block need only a barrier, whereas a
// grid needs another launch, which takes about ten times as long. The rest of the GPU is idle meanwhile;
// `cost-estimate.ts` says when that pays.
import type { HostLoop, Idiom, Region } from '../ir/index.ts'

/** `loop` as one part; `undefined` when something in it has kernels of its own. */
export function inOneBlock(loop: HostLoop): Idiom | undefined {
  if (!isPlain(loop)) return undefined
  const why = `'${loop.source.name}' must run in order, and one iteration does too little work for a launch of its own`
  return { kind: 'idiom', body: [loop.source], why, parallel: 0, form: { kind: 'one-block', loop } }
}

const isPlain = (r: Region): boolean => (r.kind === 'host' ? r.body.every(isPlain) : r.kind !== 'idiom')
