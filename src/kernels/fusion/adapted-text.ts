// In: the WGSL text of a launch and what is to be fused into it. Out: the text to compile. The one idea: generated
// texts have fixed places (the parameters' struct, the bodies of hooks, the workgroup's index), and only those are
// changed.
import type { Memory } from '../device/memory.ts'

/** Work fused into the loads or stores of one array. */
export interface Hook {
  readonly array: string
  /**
   * Statements for an access of `width` elements at element `width · i`: a load returns the value, a store writes `v`.
   */
  readonly body: (width: number, array: string) => string
  readonly functions: string
  readonly bindings: readonly {
    readonly name: string
    readonly buffer: Memory
    readonly typeOf: (width: number) => string /** Vectors of four in constant memory, instead. */
    readonly constant?: number
  }[]
  /** Fields of the parameters' buffer. */
  readonly fields: readonly { readonly name: string; readonly type: 'u32' | 'i32' | 'f32'; readonly value: number }[]
}

/** The width of the vectors that a text's hooked array has; 0 when this text does not touch the array. */
export function hookWidth(text: string, array: string): number {
  const found = new RegExp(`fn (?:load_${array}\\(i: u32\\) -> |store_${array}\\(i: u32, v: )(?:vec(\\d)<)?`).exec(text)
  return found ? Number(found[1] ?? 1) : 0
}

/** The text with the hook's statements in place of the plain access; its bindings follow from `binding` on. */
export function withHook(text: string, hook: Hook, binding: number): string {
  const width = hookWidth(text, hook.array)
  const plain = new RegExp(`  return ${hook.array}\\[i\\];|  ${hook.array}\\[i\\] = v;`)
  const bindings = hook.bindings
    .map((b, n) => {
      const array = b.constant ? `array<vec4<f32>, ${b.constant}>` : `array<${b.typeOf(width)}>`
      const space = b.constant ? 'uniform' : 'storage, read'
      return `@group(0) @binding(${binding + n}) var<${space}> ${b.name}: ${array};\n`
    })
    .join('')
  const fields = hook.fields.map((f) => `${f.name}: ${f.type}`)
  return withFields(
    text.replace(plain, () => hook.body(width, hook.array)),
    fields,
  ).replace('@compute', () => `${bindings}${hook.functions}\n@compute`)
}

/**
 * The text of a kernel without parameters with room for some, bound at `binding`. It is no WGSL until it has fields.
 */
export const withParams = (text: string, binding: number): string =>
  `struct Params {\n}\n\n@group(0) @binding(${binding}) var<uniform> params: Params;\n${text}`

/** The text with more fields at the end of its parameters. */
function withFields(text: string, fields: readonly string[]): string {
  if (fields.length === 0) return text
  return text.replace(
    /struct Params \{\n([^}]*)\}/,
    (_, own: string) => `struct Params {\n${own}${fields.map((f) => `  ${f},\n`).join('')}}`,
  )
}

/**
 * The text for grids with an axis that is too long: blocks are counted in one row after the other, surplus ones leave
 * at once.
 */
export function folded(text: string): string {
  const index = '@builtin(workgroup_id) workgroup_id: vec3<u32>'
  const start = `  let fold_rank = fold_id.x + fold_id.y * fold_count.x;
  let fold_plane = params.fold_x * params.fold_y;
  if (fold_rank >= fold_plane * params.fold_z) { return; }
  let workgroup_id = vec3<u32>(fold_rank % params.fold_x, fold_rank / params.fold_x % params.fold_y, fold_rank / \
fold_plane);
`
  const named = text.replace(
    index,
    '@builtin(workgroup_id) fold_id: vec3<u32>,\n  @builtin(num_workgroups) fold_count: vec3<u32>',
  )
  const body = named.replace(/(@compute[^{]*\{\n)/, (head: string) => head + start)
  return withFields(body, ['fold_x: u32', 'fold_y: u32', 'fold_z: u32'])
}
