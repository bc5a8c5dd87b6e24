// A page that makes its device itself. In: nothing; this must run before the page asks for a device. Out: one recorder
// of all devices that it gets, and the recording as a file. The one idea: adapters give devices, so that replacing
// `requestDevice` of all of them is enough.
import { record, type Recorder, type RecordOptions } from './recorder.ts'
import type { Recording } from './recording.ts'

export interface PageRecorder extends Recorder {
  /** Saves the recording of the last device as `name.recording.json`. */
  save(name?: string): void
}

/** Records whatever the page computes from now on. Throws an `Error` where there is no WebGPU. */
export function recordPage(options: RecordOptions = {}): PageRecorder {
  const prototype = globalThis.GPUAdapter?.prototype
  if (!prototype) throw new Error('tesela/record: this page has no WebGPU')
  const own = prototype.requestDevice
  const recorders: Recorder[] = []
  prototype.requestDevice = async function (this: GPUAdapter, ...args) {
    const device = await own.apply(this, args)
    recorders.push(record(device, options))
    return device
  }
  const recording = (): Recording =>
    recorders.at(-1)?.recording() ?? {
      schema: 'tesela.recording/1',
      device: '',
      agent: globalThis.navigator.userAgent,
      shaders: [],
      contents: [],
      dispatches: [],
      left: 0,
    }
  return {
    recording,
    stop: () => {
      prototype.requestDevice = own
      for (const r of recorders) r.stop()
    },
    save: (name = 'page') => {
      const url = URL.createObjectURL(new Blob([JSON.stringify(recording())], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.recording.json` })
      link.click()
      URL.revokeObjectURL(url)
    },
  }
}
