// A small language for tests of findings: `go(body, options)` explains one compute shader over arrays `a` and `b`
// (read) and `c` (written), 64 × 64 workgroups of 16 × 16 unless told otherwise.
import { explain, type ExplainLaunch, type ExplainReport, type Finding, type Rule } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'

export interface Options {
  readonly size?: string
  readonly grid?: ExplainLaunch['grid']
  readonly element?: string
  readonly declare?: string
  readonly gpu?: string
  readonly exact?: boolean
  readonly launch?: Partial<ExplainLaunch>
}

export const shader = (body: string, o: Options = {}): string => `${o.declare ?? ''}
@group(0) @binding(0) var<storage, read> a: array<${o.element ?? 'f32'}>;
@group(0) @binding(1) var<storage, read> b: array<${o.element ?? 'f32'}>;
@group(0) @binding(2) var<storage, read_write> c: array<${o.element ?? 'f32'}>;
@compute @workgroup_size(${o.size ?? '16, 16'})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, \
@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) rank: u32) {
  let n = 1024u;
  ${body}
}`

export function go(body: string, o: Options = {}): ExplainReport {
  const launch = { grid: o.grid ?? ([64, 64, 1] as const), ...o.launch }
  return explain({ text: shader(body, o), file: 'test.wgsl' }, launch, {
    gpu: gpu(o.gpu ?? 'h200'),
    ...(o.exact && { exact: true }),
  })
}

export const found = (r: ExplainReport, rule: Rule): Finding | undefined => r.findings.find((f) => f.rule === rule)
/** Rules besides those that say what bounds the kernel. */
export const rules = (r: ExplainReport): Rule[] =>
  r.findings.map((f) => f.rule).filter((f) => f !== 'SOLBottleneck' && f !== 'HighPipeUtilization')
