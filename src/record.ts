// `tesela/record`: what a page or program computes with WebGPU, as a file for `tesela explain`. `record(device)` notes
// the dispatches of one device, `recordPage()` those of all that a page asks for; results and speed stay as they are.
export {
  record,
  recordPage,
  type RecordedBinding,
  type RecordedDispatch,
  type RecordedShader,
  type Recorder,
  type Recording,
  type RecordOptions,
} from './record/index.ts'
