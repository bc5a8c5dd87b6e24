// The clocks and the temperature of an NVIDIA GPU. In: its name. Out: what `nvidia-smi` says now, or why that cannot be
// known. It comes with the driver; other vendors' drivers have no such program that is the same everywhere.
import { execFile } from 'node:child_process'
import { attemptedAsync, fail, isInapplicable, whyInapplicable } from '../../base/index.ts'
import { steadily, type Clocks, type Steady } from '../../tune/index.ts'

const query = ['--query-gpu=name,clocks.sm,clocks.mem,temperature.gpu', '--format=csv,noheader,nounits']
/** nvidia-smi may hang when its driver does. */
const timeoutMs = 10_000

const output = (command: string): Promise<string> =>
  new Promise((done, failed) => {
    execFile(command, query, { timeout: timeoutMs }, (error, out) => (error ? failed(error) : done(out)))
  })

/**
 * What the driver says of the one GPU whose name is part of `device`. Throws a `DiagnosticError` (`clocks.*`) in a
 * sentence: there is no such program, no such GPU, or there are several.
 */
export async function nvidiaClocks(device: string, command = 'nvidia-smi'): Promise<Clocks> {
  const text = await output(command).catch((error: NodeJS.ErrnoException) =>
    fail('clocks.missing', `${command} ${error.code === 'ENOENT' ? 'is not there' : 'failed'}`),
  )
  const rows = text
    .split('\n')
    .map((line) => line.split(',').map((field) => field.trim()))
    .filter(([name = '']) => name !== '' && device.includes(name))
  const [row] = rows
  if (!row || rows.length > 1)
    return fail('clocks.device', `${command} knows ${rows.length} GPUs that are called as in '${device}'`)
  const [processorMhz = Number.NaN, memoryMhz = Number.NaN, celsius = Number.NaN] = row.slice(1).map(Number)
  return [processorMhz, memoryMhz, celsius].every(Number.isFinite)
    ? { processorMhz, memoryMhz, celsius }
    : fail('clocks.unknown', `${command} does not say the clocks of ${row[0]}`)
}

/** Measures steadily on this device by what its driver says, or a sentence that says why nobody can. */
export async function steadyOnNvidia(
  device: string,
  command?: string,
): Promise<Steady | { readonly unchecked: string }> {
  const clocks = await attemptedAsync(() => nvidiaClocks(device, command))
  return isInapplicable(clocks)
    ? { unchecked: `clocks and temperature of ${device} are not checked: ${whyInapplicable(clocks)}` }
    : (measure) => steadily(measure, () => nvidiaClocks(device, command))
}
