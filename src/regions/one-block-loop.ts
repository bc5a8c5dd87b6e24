// In: a loop that the host would run. Out: the same loop as a part that one block runs, where nothing in it needs more.
// The one idea: between the steps of one block stands a barrier, between those of a grid a launch, which takes ten
// times as long. `cost-estimate.ts` says where that is worth the machine's other blocks.
import type { HostLoop, Idiom, Region } from '../ir/index.ts'

/** `loop` as one part; `undefined` when something in it has kernels of its own. */
export function inOneBlock(loop: HostLoop): Idiom | undefined {
  if (!isPlain(loop)) return undefined
  const why = `'${loop.source.name}' must run in order, and one iteration is too little for a launch`
  return { kind: 'idiom', body: [loop.source], why, parallel: 0, form: { kind: 'one-block', loop } }
}

const isPlain = (r: Region): boolean => (r.kind === 'host' ? r.body.every(isPlain) : r.kind !== 'idiom')
