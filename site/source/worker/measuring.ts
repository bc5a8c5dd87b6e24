// A kernel timed on the visitor's GPU. In: WGSL with the flags of its launch. Out: what the device says, and what is
// predicted for the GPU that was picked.
import { launchOfFlags } from 'tesela/explain'
import { measureKernel, openMeasurer } from 'tesela/study'
import { explainedPage, files } from './kernel.ts'
import type { Program, Reading } from './protocol.ts'

/** Throws a `DiagnosticError`. */
export async function measured(program: Program, gpu: string): Promise<Reading> {
  const { report } = await explainedPage(program, 'wgsl', gpu)
  const { launch, entry } = launchOfFlags(program.options)
  const device = await openMeasurer('webgpu')
  try {
    const source = { text: program.text, file: files.wgsl }
    const timing = await measureKernel(
      source,
      { ...launch, grid: report.launch.grid },
      entry === undefined ? {} : { entry },
      report,
      device,
    )
    return {
      device: device.name,
      ns: timing.ns,
      minNs: timing.min,
      spread: timing.spread,
      samples: timing.samples,
      timer: timing.timer,
      quantumNs: timing.quantumNs,
      predictedNs: report.prediction.ns,
    }
  } finally {
    device.close()
  }
}
