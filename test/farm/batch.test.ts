// Batch systems as far as they can run here: their own commands, taken out of the examples, in loops that set what each
// system sets.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { isLong } from '../support/long.ts'
import { root, tesela } from '../cli/run.ts'

/** A copy of the examples, and a `tesela` in the path. */
function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-batch-'))
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(
    join(folder, 'bin/tesela'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli.js')}" "$@"\n`,
  )
  chmodSync(join(folder, 'bin/tesela'), 0o755)
  return folder
}

function sh(folder: string, command: string, env: Readonly<Record<string, string>> = {}): string {
  const path = `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const r = spawnSync('sh', ['-c', command], {
    cwd: join(folder, 'examples/farm'),
    encoding: 'utf8',
    env: { ...process.env, ...env, PATH: path },
  })
  expect(r.status, r.stderr).toBe(0)
  return r.stdout
}

const text = (name: string): string => readFileSync(join(root, 'examples/farm', name), 'utf8')
const count = 4
const systems: Readonly<Record<string, (folder: string, index: number) => void>> = {
  Slurm: (folder, index) => {
    expect(text('slurm.sh')).toContain(`--array=0-${count - 1}\n`)
    sh(folder, 'sh slurm.sh', { SLURM_ARRAY_TASK_ID: `${index}`, SLURM_ARRAY_TASK_COUNT: `${count}` })
  },
  GitHub: (folder, index) => {
    const command = /- run: (sh task.sh .*)/.exec(text('github.yml'))![1]!
    sh(folder, command.replace(/\$\{\{ matrix.index \}\}/, `${index}`).replace(/\$\{\{.*\}\}/, `${count}`))
  },
  Kubernetes: (folder, index) => {
    const command = /command: \['sh', '-c', '(.*)'\]/.exec(text('kubernetes.yml'))![1]!
    sh(folder, command, { JOB_COMPLETION_INDEX: `${index}` })
  },
}

const results = (folder: string): readonly string[] => {
  const work = join(folder, 'examples/farm/work')
  return readdirSync(work)
    .filter((f) => f.endsWith('.result.json'))
    .sort()
    .map((f) => readFileSync(join(work, f), 'utf8'))
}

test('a loop over tasks of each batch system finds the same, in any order and twice; its best is proved', () => {
  const seen: (readonly string[])[] = []
  for (const [name, task] of Object.entries(systems)) {
    if (name !== 'Slurm' && !isLong) continue
    const folder = place()
    const order = Array.from({ length: count }, (_, i) => (name === 'Slurm' ? count - 1 - i : i))
    for (const index of order) task(folder, index)
    const once = results(folder)
    task(folder, 0)
    expect(results(folder)).toEqual(once)
    expect(once).toHaveLength(count)
    seen.push(once)
    const out = sh(
      folder,
      'node best.mjs work/slice-*.result.json > work/prove.json && tesela job work/prove.json --json',
    )
    expect(JSON.parse(out)).toMatchObject({ result: { ok: true } })
  }
  expect(new Set(seen.map((s) => JSON.stringify(s))).size).toBe(1)
})

test('what is wrong with a job is a sentence and exit code 2', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-batch-'))
  const run = (name: string, content: string): [number | null, string] => {
    writeFileSync(join(folder, name), content)
    const { code, err } = tesela(['job', name], folder)
    return [code, err]
  }
  const device = JSON.stringify({
    schema: 'tesela.job/1',
    kind: 'measure',
    on: 'cuda',
    program: { text: 'void f(int n, float x[n]) { for (int i = 0; i < n; i++) x[i] = 1.0f; }' },
    candidates: [[{}]],
  })
  expect(run('a.json', '{')).toEqual([2, expect.stringMatching(/^error: a.json is no JSON: /)])
  expect(run('b.json', '{}')).toEqual([2, expect.stringContaining('job.schema must be tesela.job/1, and is missing')])
  expect(run('c.json', device)).toEqual([2, expect.stringMatching(/^error: .*CUDA/)])
})
