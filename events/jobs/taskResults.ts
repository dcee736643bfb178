import { z } from 'zod'
import type { TaskType } from './types.ts'

/** The reason of a failure, or what a check found. */
const reason = z.string().optional()

/** A scan: counts of the snapshot, or of the walk so far; bytes are apparent sizes. */
export const ScanResult = z.strictObject({
  files: z.number().optional(),
  folders: z.number().optional(),
  bytes: z.number().optional(),
  unreadable: z.int().optional(),
  /** Number of records of an object store that could not be read in full. */
  oddRecords: z.int().optional(),
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

/** Reasons listed with a result; further failed files are in the download. */
export const maxFailedPaths = 100

/** Files of an action in a storage that was scanned since: as planned, with another size or time, or gone, with the bytes of those. */
export const FoundInStorage = z.strictObject({
  volumeId: z.int(),
  there: z.number(),
  changed: z.number(),
  gone: z.number(),
  goneBytes: z.number(),
})
export type FoundInStorage = z.infer<typeof FoundInStorage>

/**
 * Files that an action is done with, as scans since its end show them: those that arrived at their target, that differ from the original there,
 * and that are missing there; null while no target was scanned, or if it is not known. And what is left in the storages they were selected from.
 */
export const FoundFiles = z.strictObject({
  at: z.iso.datetime(),
  target: z.strictObject({ arrived: z.number(), changed: z.number(), missing: z.number() }).nullable(),
  storages: z.array(FoundInStorage),
})
export type FoundFiles = z.infer<typeof FoundFiles>

/**
 * An action on files: how many were planned, done and failed, in files and bytes, and how many were left out of the plan. `note` says what the
 * action waits for, such as a tape.
 */
export const ActResult = z.strictObject({
  toDo: z.number().optional(),
  bytesToDo: z.number().optional(),
  done: z.number().optional(),
  bytesDone: z.number().optional(),
  failed: z.number().optional(),
  /** The first failed files, at most `maxFailedPaths`. */
  failedPaths: z.array(z.strictObject({ path: z.string(), reason: z.string() })).optional(),
  leftOut: z.number().optional(),
  note: z.string().optional(),
  found: FoundFiles.optional(),
  reason,
})
export type ActResult = z.infer<typeof ActResult>

/** Result of each task type, or the progress towards it. */
export const taskResults = {
  SCAN_VOLUMES: ScanResult,
  ACT_ON_FILES: ActResult,
  TAG_ENTRIES: TagResult,
  RUN_REPORT: ReportResult,
} as const satisfies Record<TaskType, z.ZodType>
export type TaskResultOf<T extends TaskType> = z.output<(typeof taskResults)[T]>
export const TaskResult = z.union(Object.values(taskResults))
export type TaskResult = z.infer<typeof TaskResult>

/** Fields of a result of any type of task, for readers that show those it has. */
export const fieldsOf = (
  result: TaskResult | null | undefined,
): Partial<ScanResult & ActResult & TagResult & ReportResult> => result ?? {}
