import { z } from 'zod'
import { SearchFilters } from './search-filters.ts'

/** File storages to scan. */
export const ScanPayload = z.object({ volumes: z.array(z.int()), cloneIndex: z.boolean() })
/** Tags that all results of a search are given, or lose. */
export const TagPayload = z.object({
  tags: z.array(z.string()),
  remove: z.boolean(),
  isDirectory: z.boolean(),
  filters: SearchFilters,
})
export type TagPayload = z.infer<typeof TagPayload>

/** What a job was told to do. */
export const JobPayload = z.union([ScanPayload, TagPayload])
const ScanTask = ScanPayload.extend({ scanId: z.int() })
/** What a task of it was told to do. */
export const TaskPayload = z.union([ScanTask, TagPayload])
/** What came of a task, or of what it did until now. */
export const TaskResult = z.object({
  /** Entries that were tagged, and how many there are to tag. */
  tagged: z.int().optional(),
  toTag: z.int().optional(),
  files: z.number().optional(),
  folders: z.number().optional(),
  bytes: z.number().optional(),
  unreadable: z.int().optional(),
  reason: z.string().optional(),
})
export type TaskResult = z.infer<typeof TaskResult>
