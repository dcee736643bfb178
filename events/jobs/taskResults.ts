import { z } from 'zod'
import type { TaskType } from './types.ts'

/** Why a task failed as a whole. */
const reason = z.string().optional()

/** A scan: counts of the snapshot, or of the walk so far; bytes are apparent sizes. */
export const ScanResult = z.strictObject({
  files: z.number().optional(),
  folders: z.number().optional(),
  bytes: z.number().optional(),
  unreadable: z.int().optional(),
  /** Number of requests to a storage behind a network by the attempt that ended. Requests may cost money. */
  requests: z.int().optional(),
  /** A note about a successful result, such as the reason for a full scan instead of a delta. */
  note: z.string().optional(),
  /** Storages that were not scanned, or not completely, and the reasons. */
  failedScanVolumeSettings: z.array(z.strictObject({ id: z.int(), reason: z.string() })).optional(),
  reason,
})
export type ScanResult = z.infer<typeof ScanResult>

/** Number of tagged entries, and of entries to tag. */
const tagCounts = { tagged: z.int().optional(), toTag: z.int().optional() }
export const TagResult = z.strictObject({ ...tagCounts, reason })
export type TagResult = z.infer<typeof TagResult>

/** A report: counts and bytes of its results, and how many of them are tagged. */
export const ReportResult = z.strictObject({
  ...tagCounts,
  files: z.number().optional(),
  folders: z.number().optional(),
  bytes: z.number().optional(),
  reason,
})
export type ReportResult = z.infer<typeof ReportResult>

/** Result of each task type, or the progress towards it. */
export const taskResults = {
  SCAN_VOLUMES: ScanResult,
  TAG_ENTRIES: TagResult,
  RUN_REPORT: ReportResult,
} as const satisfies Record<TaskType, z.ZodType>
export type TaskResultOf<T extends TaskType> = z.output<(typeof taskResults)[T]>
export const TaskResult = z.union(Object.values(taskResults))
export type TaskResult = z.infer<typeof TaskResult>

/** Fields of a result of any type of task, for readers that show those it has. */
export const fieldsOf = (result: TaskResult | null | undefined): Partial<ScanResult & TagResult & ReportResult> =>
  result ?? {}
