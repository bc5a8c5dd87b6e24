export { record, type Recorder, type RecordOptions } from './recorder.ts'
export { recordPage } from './page.ts'
export type { RecordedBinding, RecordedDispatch, RecordedShader, Recording } from './recording.ts'
