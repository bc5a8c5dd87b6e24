// Tuning from nothing on the GPU at hand: matmul with the generic model's guesses only, then every case again as tuned
// and as the device's own model chooses, in turns; then all other operations, and the library beside roofline and
// prediction. One bundle, npm `webgpu` beside it: node tune.mjs OUT.json [CASE]      (only cases that begin like CASE:
// to try it; FROM=n: the first n products are tuned with the others, but not read again; LIMIT_S: seconds to start
// readings in)
import { writeFileSync } from 'node:fs'
import { create, globals } from 'webgpu'
import { bench, connect, tune, type Core } from '../../src/kernels/index.ts'
import { cases } from '../../src/kernels/tune/cases.ts'
import { Bench, meterOf } from '../../src/kernels/tune/meter.ts'
import { secondsFrom } from '../arguments.ts'

Object.assign(globalThis, globals)
/** Collected, Dawn would crash: held for the life of the process. */
const keep = Object.assign(globalThis, {
  dawn: create([
    'enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia',
    'disable-dawn-features=timestamp_quantization',
  ]),
}).dawn
const [out = 'tune.json', part] = process.argv.slice(2)
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 600) * 1000
const core = await connect({ gpu: keep, tuning: 'generic' }),
  shipped = await connect({ gpu: keep })
console.log(core.info?.description, 'shipped as', shipped.tuning)

const matmul = await tune(core, { only: [part ?? 'matmul'], store: null, seconds: 58 })
console.log(
  `matmul from nothing: ${matmul.entries.length} choices in ${matmul.seconds.toFixed(1)} s, ${matmul.left} ` +
    `left, quantum ${matmul.quantumNs} ns`,
)

/** What the shipped model answers at each point that a case asks. */
function answers(c: (typeof all)[number]): readonly (readonly [string, string])[] {
  const prepared = c.prepare(shipped),
    asked = new Map<string, readonly string[]>()
  shipped.asked = asked
  prepared.run().dispose()
  shipped.asked = null
  prepared.dispose()
  return [...asked].map(([point, [first = '']]) => [point, first])
}

const all = cases(false).filter((c) => c.name.startsWith(part ?? 'matmul')),
  turns = new Bench(await meterOf(core, () => core.flush()))
/** What is measured is not lost when time ends. */
const save = (more: object = {}): void =>
  writeFileSync(out, JSON.stringify({ device: core.info?.description, matmul, rows, ratio: ratio(), ...more }))
const ratio = (): number => Math.exp(rows.reduce((s, r) => s + Math.log(r.tunedNs / r.shippedNs), 0) / rows.length)
const rows: {
  readonly case: string
  readonly tunedNs: number
  readonly shippedNs: number
  readonly tuned: string
  readonly shipped: string
}[] = []
for (const c of all.slice(Number(process.env['FROM'] ?? 0))) {
  if (Date.now() > deadline) break
  const prepared = c.prepare(core),
    own = answers(c),
    tuned = new Map(core.tuned)
  const using = (entries: Iterable<readonly [string, string]>) => (): void => {
    core.tuned.clear()
    for (const [p, choice] of entries) core.tuned.set(p, choice)
    prepared.run().dispose()
  }
  const [a, b] = await turns.compare([using(tuned), using(own)])
  using(tuned)()
  const [point = ''] = own.find(([p]) => /^(matrices|split|batch|vector)/.test(p)) ?? []
  rows.push({
    case: c.name,
    tunedNs: a!.ns,
    shippedNs: b!.ns,
    tuned: tuned.get(point) ?? '',
    shipped: own.find(([p]) => p === point)?.[1] ?? '',
  }) // two candidates
  prepared.dispose()
  save()
  console.log(
    `${c.name.padEnd(26)} tuned ${(a!.ns / 1000).toFixed(1).padStart(9)} µs ${rows.at(-1)!.tuned.padEnd(10)} ` +
      `shipped ${(b!.ns / 1000).toFixed(1).padStart(9)} µs ${rows.at(-1)!.shipped.padEnd(10)} ` +
      `${(a!.ns / b!.ns).toFixed(3)}`,
  )
}
console.log(
  `tuned ÷ shipped: geometric mean ${ratio().toFixed(3)}, worst ` +
    `${Math.max(...rows.map((r) => r.tunedNs / r.shippedNs)).toFixed(3)}`,
)

if (Date.now() > deadline) process.exit(0)
const others = await tune(shipped, {
  only: part ? ['map 16384'] : ['sum', 'map', 'transpose', 'conv2d'],
  store: null,
  seconds: 25,
})
for (const e of others.entries)
  console.log(
    `${e.case.padEnd(28)} ${e.point.padEnd(40)} untuned ${e.otherwise} ${(e.otherwiseNs / 1000).toFixed(1)} ` +
      `µs, fastest ${e.choice} ${(e.ns / 1000).toFixed(1)} µs`,
  )
save({ others })
const fresh: Core = await connect({ gpu: keep })
if (Date.now() > deadline) process.exit(0)
const report = await bench(fresh, { seconds: 45, ...(part && { only: [part] }) })
for (const r of report.rows)
  console.log(
    `${r.name.padEnd(28)} ${((r.ns ?? NaN) / 1000).toFixed(1).padStart(9)} µs, roofline ` +
      `${((r.boundNs ?? NaN) / 1000).toFixed(1)}, predicted ${((r.predictedNs ?? NaN) / 1000).toFixed(1)} ` +
      `${r.wrong ?? ''}`,
  )
save({ others, bench: report })
process.exit(0)
