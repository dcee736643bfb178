import { z } from 'zod'
import { WrittenCriteria } from './criteria.ts'
import type { JobType } from './job-types.ts'
import { SearchFilters } from './search-filters.ts'

const ids = z.array(z.int())
const paths = z.array(z.string())
const cloneIndex = z.boolean()
const isDeltaScan = z.boolean()

/** File storages to scan; those of which only a folder is scanned have it in the map. */
const ScanPayload = z.strictObject({
  volumes: ids,
  storageIdToPath: z.record(z.string(), z.string()).optional(),
  cloneIndex,
})
const BucketsPayload = z.strictObject({ bucketsId: ids, cloneIndex })
const ArchiwaresPayload = z.strictObject({ archiwareIds: ids, cloneIndex, isDeltaScan })
const PowerScalesPayload = z.strictObject({ dellPowerScaleIds: ids, cloneIndex, isDeltaScan })

/** All results of a search, instead of paths. */
const search = { filters: SearchFilters, isDirectory: z.boolean() }

const tagging = { tags: z.array(z.string()), remove: z.boolean(), isDirectory: z.boolean() }
/** Tags that all results of a search are given, or lose; the search is asked by filters or by criteria. */
export const TagPayload = z.union([
  z.strictObject({ ...tagging, filters: SearchFilters }),
  z.strictObject({ ...tagging, criteria: WrittenCriteria }),
])
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
const ArchiveResultsPayload = z.strictObject({ ...archive, ...search })

const restore = { clientId: z.string(), credentialsId: z.int(), relocate: z.string().nullable() }
const RestorePayload = z.strictObject({ ...restore, dataIntellPaths: paths })
const RestoreResultsPayload = z.strictObject({ ...restore, ...search })

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
const TransferResultsPayload = z.strictObject({ ...transfer, ...search })

const PathsPayload = z.strictObject({ dataIntellPaths: paths })
const ResultsPayload = z.strictObject(search)
const RelocatePayload = z.strictObject({ dataIntellPaths: paths, relocate: z.string().nullable() })
const RelocateResultsPayload = z.strictObject({ relocate: z.string().nullable(), ...search })

const upload = { collectionId: z.string().nullable(), storageId: z.string(), storageType: z.string() }
const UploadPayload = z.strictObject({ ...upload, dataIntellPaths: paths })
const UploadResultsPayload = z.strictObject({ ...upload, ...search })

const ReportPayload = z.strictObject({ templateId: z.int() })

/** What came of a task or a job, or of what it did until now. */
export const TaskResult = z.object({
  /** Entries that were tagged, and how many there are to tag. */
  tagged: z.int().optional(),
  toTag: z.int().optional(),
  files: z.number().optional(),
  folders: z.number().optional(),
  bytes: z.number().optional(),
  unreadable: z.int().optional(),
  /** Storages of which nothing or not all was scanned, and why. */
  failedScanVolumeSettings: z.array(z.object({ id: z.int(), reason: z.string() })).optional(),
  /** Files and folders that an action could not be done to, and why. */
  failedPaths: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
  reason: z.string().optional(),
})
export type TaskResult = z.infer<typeof TaskResult>

const ScanResult = TaskResult.pick({ failedScanVolumeSettings: true, reason: true })
const TagResult = TaskResult.pick({ tagged: true, toTag: true, reason: true })
const ActionResult = TaskResult.pick({ files: true, folders: true, bytes: true, failedPaths: true, reason: true })
const ReportResult = TaskResult.pick({ files: true, folders: true, bytes: true, reason: true })

/** What each type of job is told to do, and what it tells at its end. */
const jobSchemas = {
  SCAN_ON_PREMISES: { payload: ScanPayload, result: ScanResult },
  SCAN_CLOUD: { payload: BucketsPayload, result: ScanResult },
  SCAN_ARCHIWARE: { payload: ArchiwaresPayload, result: ScanResult },
  SCAN_DELL_POWER_SCALE: { payload: PowerScalesPayload, result: ScanResult },
  TAG_SEARCH_RESULT: { payload: TagPayload, result: TagResult },
  ARCHIVE_ARCHIWARE_FILES: { payload: ArchivePayload, result: ActionResult },
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: { payload: ArchiveResultsPayload, result: ActionResult },
  RESTORE_ARCHIWARE_FILES: { payload: RestorePayload, result: ActionResult },
  RESTORE_ARCHIWARE_SEARCH_RESULT: { payload: RestoreResultsPayload, result: ActionResult },
  SODA_TRANSFER: { payload: TransferPayload, result: ActionResult },
  SODA_TRANSFER_SEARCH_RESULT: { payload: TransferResultsPayload, result: ActionResult },
  ARCHIVE_STORAGE_MANAGER_FILES: { payload: PathsPayload, result: ActionResult },
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: { payload: ResultsPayload, result: ActionResult },
  RESTORE_STORAGE_MANAGER_FILES: { payload: RelocatePayload, result: ActionResult },
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: { payload: RelocateResultsPayload, result: ActionResult },
  ICONIK_UPLOAD: { payload: UploadPayload, result: ActionResult },
  ICONIK_UPLOAD_SEARCH_RESULT: { payload: UploadResultsPayload, result: ActionResult },
  GENERATE_REPORT: { payload: ReportPayload, result: ReportResult },
} as const satisfies Record<JobType, { payload: z.ZodType; result: z.ZodType }>
export type PayloadOf<T extends JobType> = z.output<(typeof jobSchemas)[T]['payload']>

const schemas = Object.values(jobSchemas)
/** What a job was told to do. */
export const JobPayload = z.union(schemas.map(({ payload }) => payload))
const ScanTask = ScanPayload.extend({ scanId: z.int() })
/** What a task of it was told to do. */
export const TaskPayload = z.union([ScanTask, TagPayload])
