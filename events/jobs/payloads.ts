import { z } from 'zod'
import type { JobType, TaskType } from './types.ts'
import { Relocate } from '#events/actions/targets.ts'
import { SelectedByCriteria, SelectedByFilters } from '#events/selections.ts'

const ids = z.array(z.int())
const paths = z.array(z.string())
const cloneIndex = z.boolean()
const isDeltaScan = z.boolean()

/** A payload with these fields for all results of a search, given as filters or as criteria. */
const forResults = <F extends z.ZodRawShape>(fields: F) =>
  z.union([SelectedByFilters.extend(fields), SelectedByCriteria.extend(fields)])

/** File storages to scan. `paths` has the folder of each storage that is not scanned as a whole. */
const ScanPayload = z.strictObject({
  volumes: ids,
  storageIdToPath: z.record(z.string(), z.string()).optional(),
  cloneIndex,
})
const BucketsPayload = z.strictObject({ bucketsId: ids, cloneIndex })
const ArchiwaresPayload = z.strictObject({ archiwareIds: ids, cloneIndex, isDeltaScan })
const PowerScalesPayload = z.strictObject({ dellPowerScaleIds: ids, cloneIndex, isDeltaScan })

const tagging = { tags: z.array(z.string()), remove: z.boolean() }
/** Tags to add to all results of a search, or to remove from them; the search is given as filters or as criteria. */
export const TagPayload = forResults(tagging)
export type TagPayload = z.infer<typeof TagPayload>

const archive = {
  planId: z.string(),
  clientId: z.string(),
  serverId: z.int(),
  credentialsId: z.int(),
  meta: z.array(z.unknown()),
  indexroot: z.string(),
  deltaScanAfter: z.boolean(),
}
const ArchivePayload = z.strictObject({ ...archive, dataIntellPaths: paths })
const ArchiveResultsPayload = forResults(archive)

const restore = { clientId: z.string(), credentialsId: z.int(), relocate: Relocate }
const RestorePayload = z.strictObject({ ...restore, dataIntellPaths: paths })
const RestoreResultsPayload = forResults(restore)

const place = { name: z.string(), path: z.string(), storageId: z.string() }
const transfer = {
  name: z.string(),
  transferType: z.enum(['COPY', 'MOVE']),
  conflictHandling: z.enum(['OVERWRITE', 'RENAME', 'SKIP']),
  target: z.strictObject({ ...place, isDirectory: z.literal(true) }),
}
const TransferPayload = z.strictObject({
  ...transfer,
  sources: z.array(z.strictObject({ ...place, isDirectory: z.boolean() })),
})
const TransferResultsPayload = forResults(transfer)

const PathsPayload = z.strictObject({ dataIntellPaths: paths })
const ResultsPayload = forResults({})
/** Compares files that are not on disk, too, which recalls them. */
const comparison = { includesOffline: z.boolean().optional() }
const RelocatePayload = z.strictObject({ dataIntellPaths: paths, relocate: Relocate })
const RelocateResultsPayload = forResults({ relocate: Relocate })

const upload = { collectionId: z.string().nullable(), storageId: z.string(), storageType: z.string() }
const UploadPayload = z.strictObject({ ...upload, dataIntellPaths: paths })
const UploadResultsPayload = forResults(upload)

/** `name` is the name of the report at launch. */
const ReportPayload = z.strictObject({ templateId: z.int(), name: z.string().optional() })

/** Payload of each job type. */
export const jobPayloads = {
  SCAN_ON_PREMISES: ScanPayload,
  SCAN_CLOUD: BucketsPayload,
  SCAN_ARCHIWARE: ArchiwaresPayload,
  SCAN_DELL_POWER_SCALE: PowerScalesPayload,
  TAG_SEARCH_RESULT: TagPayload,
  ARCHIVE_ARCHIWARE_FILES: ArchivePayload,
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: ArchiveResultsPayload,
  RESTORE_ARCHIWARE_FILES: RestorePayload,
  RESTORE_ARCHIWARE_SEARCH_RESULT: RestoreResultsPayload,
  SODA_TRANSFER: TransferPayload,
  SODA_TRANSFER_SEARCH_RESULT: TransferResultsPayload,
  ARCHIVE_STORAGE_MANAGER_FILES: PathsPayload,
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: ResultsPayload,
  RESTORE_STORAGE_MANAGER_FILES: RelocatePayload,
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: RelocateResultsPayload,
  ICONIK_UPLOAD: UploadPayload,
  ICONIK_UPLOAD_SEARCH_RESULT: UploadResultsPayload,
  COMPARE_FILES: PathsPayload.extend(comparison),
  COMPARE_SEARCH_RESULT: forResults(comparison),
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
