// The script of the GitHub action without GitHub: files in, one SARIF log and a comment out.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, root } from '../cli/run.ts'

const shader = (body: string): string =>
  `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
var<workgroup> t: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) { ${body} }
`

test('hazards first, then by gain; what cannot be explained is said; the log has a run for each kernel', () => {
  const launch = JSON.stringify({ grid: [4096] })
  const cwd = folderWith({
    'slow.wgsl': shader('c[id.x] = a[id.x * 32u];'),
    'slow.launch.json': launch,
    'wrong.wgsl': shader('t[i] = a[id.x]; c[id.x] = t[63u - i];'),
    'wrong.launch.json': launch,
    'lost.wgsl': shader('c[id.x] = 1.0;'),
  })
  const script = join(root, '.github/actions/explain/explain.mjs')
  const files = ['slow.wgsl', 'wrong.wgsl', 'lost.wgsl']
  const { status, stderr } = spawnSync(process.execPath, [script, '--sarif', 'out.sarif', ...files], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TESELA: join(root, 'dist/cli.js') },
  })
  expect([status, stderr]).toEqual([0, ''])
  const comment = readFileSync(join(cwd, 'tesela-comment.md'), 'utf8')
  const rows = comment.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows[0]).toMatch(/^\| `wrong\.wgsl:5` \| race \| wrong \|/)
  expect(rows.join('\n')).toMatch(/^\| `slow\.wgsl:5` \| UncoalescedGlobalAccess \| [\d.]+× \|/m)
  const gains = rows.slice(1).map((row) => Number(/\| ([\d.]+)× \|/.exec(row)?.[1]))
  expect(gains).toEqual([...gains].sort((x, y) => y - x))
  expect(comment).toMatch(/Not explained:\n- `lost\.wgsl`: .*the number of workgroups is missing/)
  const log = JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8'))
  expect(log.version).toBe('2.1.0')
  expect(log.runs).toHaveLength(2)
})
