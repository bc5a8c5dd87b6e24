// In: a `FrameReport`. Out: terminal text: one row a kind of dispatch, the dearest first, what could not be explained,
// and the first finding of each; then the whole report of one. Text from outside is made printable.
import type { FrameKernel, FrameReport } from '../explain/index.ts'
import { explainLines } from './explain.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph, table } from './table.ts'
import { duration, grouped, percent, plural, printable } from './words.ts'

/** `shown`: the kernel whose whole report follows, from 1 as the rows are numbered; the first when absent. */
export function frameLines(r: FrameReport, paint: Paint = plain, columns = 100, shown = 1): string[] {
  const known = r.kernels.filter((k) => k.report !== null)
  const rows = known.map((k, i) => [
    `${i + 1}`,
    percent((k.total ?? 0) / Math.max(r.ns, 1e-9)),
    duration(k.total ?? 0),
    grouped(k.dispatches.length),
    duration(k.ns ?? 0),
    printable(nameOf(k)),
    (k.grid ?? []).join(' × '),
    k.report?.prediction.boundBy ?? '',
    firstFinding(k),
  ])
  const recorded = r.recorded === '' ? '' : `, recorded on ${printable(r.recorded)}`
  const one = known[shown - 1]?.report
  return [
    `${paint.bold(plural(r.dispatches, 'dispatch', 'dispatches'))} of ${plural(r.kernels.length, 'kind')}: ` +
      (known.length > 0 ? `${paint.bold(duration(r.ns))} predicted` : 'none could be explained') +
      ` on ${r.gpu}${recorded}`,
    ...(r.left > 0 ? [`  ${grouped(r.left)} more were not recorded`] : []),
    '',
    ...table(
      [
        { title: '' },
        { title: 'share', align: 'right' },
        { title: 'time', align: 'right' },
        { title: 'times', align: 'right' },
        { title: 'each', align: 'right' },
        { title: 'kernel' },
        { title: 'workgroups' },
        { title: 'bound by' },
        { title: 'first finding', most: 44 },
      ],
      rows,
      { paint },
    ),
    ...known.flatMap((k, i) => (k.explained < k.contents ? [sampledContents(k, i + 1)] : [])),
    ...r.kernels
      .filter((k) => k.refused !== undefined)
      .flatMap((k) => paragraph(`  ${printable(k.shader)}: `, printable(k.refused ?? ''), columns)),
    '',
    ...(one ? [paint.dim(`Kernel ${shown}`), ...explainLines(one, paint, columns)] : []),
  ]
}

const sampledContents = ({ explained, contents }: FrameKernel, n: number): string =>
  `  ${n}: its buffers had ${grouped(contents)} contents; ${grouped(explained)} were run, the others count as these do`

const nameOf = ({ shader, report }: FrameKernel): string =>
  report && report.kernel.name !== shader ? `${shader}: ${report.kernel.name}` : shader

function firstFinding({ report }: FrameKernel): string {
  const found = report?.findings.find((f) => f.scope === 'global' && f.speedup >= 1.02 && f.rule !== 'SOLBottleneck')
  const hazards = report?.hazards.filter((h) => h.level === 'error').length ?? 0
  const wrong = hazards > 0 ? `${plural(hazards, 'hazard')}; ` : ''
  return `${wrong}${found ? `${found.speedup.toFixed(2)}× ${found.rule}` : ''}`
}
