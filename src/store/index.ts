export { canonicalJson, contentKey } from './key.ts'
export { addLines, storeLines } from './lines.ts'
export { openStore } from './open.ts'
export {
  jobStates,
  Queue,
  type JobOutcome,
  type JobState,
  type LeasedJob,
  type QueuedJob,
  type QueueOptions,
} from './queue.ts'
export {
  candidateRecord,
  deviceRecord,
  programRecord,
  readingRecord,
  verdictRecord,
  type CandidateRecord,
  type Device,
  type DeviceRecord,
  type ProgramRecord,
  type ReadingRecord,
  type Records,
  type ResultRecord,
  type VerdictRecord,
} from './records.ts'
export { recordsOfTable, tableOfReadings, type TableOrigin } from './t4.ts'
export { RecordStore, type FullReading, type Newest, type PruneOptions, type Table } from './store.ts'
export {
  Volunteers,
  type Invite,
  type MeasurableJob,
  type TrialRecord,
  type Trials,
} from './volunteers.ts'
