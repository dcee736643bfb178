import { z } from 'zod'
import type { JobType, TaskType } from './types.ts'
import { actionPayloads, forResults } from '#events/actions/actions.ts'

const ids = z.array(z.int())
const cloneIndex = z.boolean()
const isDeltaScan = z.boolean()

/** File storages to scan. `paths` has the folder of each storage that is not scanned as a whole. */
const ScanPayload = z.strictObject({
  volumes: ids,
  storageIdToPath: z.record(z.string(), z.string()).optional(),
  cloneIndex,
})
const BucketsPayload = z.strictObject({ bucketsId: ids, cloneIndex })
const ArchiwaresPayload = z.strictObject({ archiwareIds: ids, cloneIndex, isDeltaScan })
const PowerScalesPayload = z.strictObject({ dellPowerScaleIds: ids, cloneIndex, isDeltaScan })

const userId = z.int().optional()
const tagging = {
  tags: z.array(z.string()),
  remove: z.boolean(),
  limitedTo: userId,
  managedBy: userId,
  ofSelection: z.int().optional(),
}
/** Tags to add to all results of a search, or to remove from them; the search is given as filters or as criteria.
 * `limitedTo` is the id of a user who doesn't see everything: only what they see is tagged. `managedBy` is that of a manager of projects:
 * only entries of these are. `ofSelection` is a frozen list of files of the search, which are tagged instead of its results. */
export const TagPayload = forResults(tagging)
export type TagPayload = z.infer<typeof TagPayload>

/** `name` is the name of the report at launch. */
const ReportPayload = z.strictObject({ templateId: z.int(), name: z.string().optional() })

/** Payload of each job type. */
export const jobPayloads = {
  SCAN_ON_PREMISES: ScanPayload,
  SCAN_CLOUD: BucketsPayload,
  SCAN_ARCHIWARE: ArchiwaresPayload,
  SCAN_DELL_POWER_SCALE: PowerScalesPayload,
  TAG_SEARCH_RESULT: TagPayload,
  ...actionPayloads,
  GENERATE_REPORT: ReportPayload,
} as const satisfies Record<JobType, z.ZodType>
export type PayloadOf<T extends JobType> = z.output<(typeof jobPayloads)[T]>
export const JobPayload = z.union(Object.values(jobPayloads))
export type JobPayload = z.infer<typeof JobPayload>

/**
 * A part of a frozen selection, for one agent and one external system: its files and bytes, and the hash of the whole selection. `system` is
 * the record that the part belongs to: P5 credentials, the volume of an archive index, or of a storage. The payload of the job has the rest.
 */
const ActPayload = z.strictObject({
  selection: z.int(),
  part: z.int(),
  system: z.int(),
  files: z.number(),
  bytes: z.number(),
  hash: z.string(),
})

/** Payload of each task type. */
export const taskPayloads = {
  SCAN_VOLUMES: ScanPayload.extend({ scanId: z.int() }),
  ACT_ON_FILES: ActPayload,
  TAG_ENTRIES: TagPayload,
  RUN_REPORT: ReportPayload.extend({ runId: z.int() }),
} as const satisfies Record<TaskType, z.ZodType>
export type TaskPayloadOf<T extends TaskType> = z.output<(typeof taskPayloads)[T]>
export const TaskPayload = z.union(Object.values(taskPayloads))
export type TaskPayload = z.infer<typeof TaskPayload>

/** Returns the payload of a job, if it has this type. */
export const payloadOf = <T extends JobType>(
  job: { type: JobType; payload: JobPayload },
  type: T,
): PayloadOf<T> | undefined => (job.type === type ? (job.payload as PayloadOf<T>) : undefined)

/** Returns the payload of a task, if it has this type. */
export const taskPayloadOf = <T extends TaskType>(
  task: { type: TaskType; payload: TaskPayload },
  type: T,
): TaskPayloadOf<T> | undefined => (task.type === type ? (task.payload as TaskPayloadOf<T>) : undefined)
