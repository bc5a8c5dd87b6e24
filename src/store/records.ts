// What a store holds, as values. In: contents. Out: records with their keys. The one idea: a record's key is a hash of
// its contents, so that who writes the same twice, or at the same time, has written it once.
import { contentKey } from './key.ts'

export interface ProgramRecord {
  readonly key: string
  /** `c`: a function with all that it includes; `wgsl`; `library`: a point of choice of the library; `other`. */
  readonly language: 'c' | 'wgsl' | 'library' | 'other'
  readonly name: string
  /** What it is made of, as JSON. */
  readonly body: unknown
}

export interface CandidateRecord {
  readonly key: string
  readonly program: string
  readonly target: 'wgsl' | 'cuda'
  /** A point for each part, or the name of a plan of the library. */
  readonly choice: unknown
}

/** What a reading depends on besides the candidate. Unknown fields are absent. */
export interface Device {
  /** As it names itself. */
  readonly name: string
  readonly vendor?: string
  readonly architecture?: string
  readonly driver?: string
  readonly browser?: string
  /** Dawn or CUDA, with its version. */
  readonly runtime?: string
  readonly toggles?: readonly string[]
  readonly system?: string
  /** Limits by which the library tells devices apart. */
  readonly limits?: string
}

export interface DeviceRecord {
  readonly key: string
  readonly name: string
  readonly body: Device
}

export interface VerdictRecord {
  readonly key: string
  readonly candidate: string
  readonly ok: boolean
  /** Sizes, errors and bounds of the proof, or why it failed. */
  readonly body: unknown
}

export interface ReadingRecord {
  readonly key: string
  readonly candidate: string
  readonly device: string
  /** The median, nanoseconds. */
  readonly ns: number
  /** Half the distance between the quartiles, relative to the median; null where it is not known. */
  readonly spread: number | null
  readonly samples: number
  /** When, in ISO 8601. */
  readonly taken: string
  /** Timer, protocol, sizes. */
  readonly body: unknown
}

/** Something that was computed, by the key of what was asked. */
export interface ResultRecord {
  readonly key: string
  readonly kind: string
  readonly compiler: string
  readonly body: unknown
}

export interface Records {
  readonly programs?: readonly ProgramRecord[]
  readonly candidates?: readonly CandidateRecord[]
  readonly devices?: readonly DeviceRecord[]
  readonly verdicts?: readonly VerdictRecord[]
  readonly readings?: readonly ReadingRecord[]
  readonly results?: readonly ResultRecord[]
}

const keyed = <T extends object>(content: T): T & { readonly key: string } => ({ ...content, key: contentKey(content) })

export const programRecord = (content: Omit<ProgramRecord, 'key'>): ProgramRecord => keyed(content)
export const candidateRecord = (content: Omit<CandidateRecord, 'key'>): CandidateRecord => keyed(content)
export const verdictRecord = (content: Omit<VerdictRecord, 'key'>): VerdictRecord => keyed(content)
export const readingRecord = (content: Omit<ReadingRecord, 'key'>): ReadingRecord => keyed(content)
export const deviceRecord = (body: Device): DeviceRecord => ({ key: contentKey(body), name: body.name, body })
