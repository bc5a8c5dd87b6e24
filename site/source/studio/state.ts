// What the studio shows, as one value. In: nothing but the address. Out: the state that a fragment holds, and the
// fragment that holds a state: JSON, deflated, in the letters of addresses. The round trip is exact.
import type { Language, Program } from '../worker/protocol.ts'

export interface State {
  readonly program: Program
  readonly gpu: string
  /** The version that the program is compared with. */
  readonly before: Program | null
  /** The view that is open. */
  readonly view: string
  /** What the heat shows. */
  readonly heat: string
}

/** Bytes of a state at most, inflated: fragments come from strangers. */
const most = 4e6

const languages: readonly Language[] = ['c', 'wgsl', 'ptx']

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  // both streams take and give bytes
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(stream as TransformStream<Uint8Array, Uint8Array>)
    .getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) throw new Error('too long')
    parts.push(value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const p of parts) {
    all.set(p, at)
    at += p.length
  }
  return all
}

const letters = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))

/** The fragment, without `#`. */
export async function fragmentOf(state: State): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(state))
  return `s=${letters(await through(text, new CompressionStream('deflate-raw')))}`
}

const text = (x: unknown): x is string => typeof x === 'string'

function programIn(x: unknown): Program | null {
  if (typeof x !== 'object' || x === null) return null
  const { language, text: source, options } = x as Readonly<Record<string, unknown>> // every field is checked
  const known = languages.find((l) => l === language)
  return known && text(source) && text(options) ? { language: known, text: source, options } : null
}

/** The state of a fragment; null where it is none. */
export async function stateOf(fragment: string): Promise<State | null> {
  const [, packed] = /^#?s=([\w-]+)$/.exec(fragment) ?? []
  if (packed === undefined) return null
  try {
    const bytes = await through(bytesOf(packed), new DecompressionStream('deflate-raw'))
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof json !== 'object' || json === null) return null
    const { program, gpu, before, view, heat } = json as Readonly<Record<string, unknown>> // every field is checked
    const read = programIn(program)
    return read && text(gpu) && text(view) && text(heat)
      ? { program: read, gpu, before: programIn(before), view, heat }
      : null
  } catch {
    return null
  }
}

/** The example that `#example=wgsl/particles` asks for, and the flags that `&flags=…` adds to its own. */
export function exampleIn(fragment: string): { readonly id: string; readonly flags: string } | null {
  const [, id, flags = ''] = /^#?example=([\w/.-]+)(?:&flags=([^&]*))?$/.exec(fragment) ?? []
  try {
    return id === undefined ? null : { id, flags: decodeURIComponent(flags) }
  } catch {
    return null
  }
}
