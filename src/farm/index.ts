export { resultIn, runJobInFile } from './job/file.ts'
export { readJob, withIncludes, type JobFiles } from './job/read.ts'
export { jobKey, readProgram, runJob, type JobTools } from './job/run.ts'
export { jobKinds, type Job, type JobProgram, type JobResult, type JobTarget } from './job/types.ts'
