import { fieldsOf } from './taskResults.ts'
import { taskPayloadOf } from './payloads.ts'
import { type TaskResult } from './taskResults.ts'
import type { JobStatus } from './states.ts'
import type { JobType } from './types.ts'

type TypedPayload = Parameters<typeof taskPayloadOf>[0]
/** The part of a task that determines the result of its job. */
type Task = TypedPayload & { status: JobStatus; result: TaskResult | null }
type Tasks = readonly Task[]

/** Results of jobs by type, computed from their tasks. The payload may have any shape. */
const results: Record<JobType, (tasks: Tasks) => TaskResult | null> = {
  SCAN_ON_PREMISES: resultOfScans,
  SCAN_CLOUD: resultOfScans,
  SCAN_ARCHIWARE: resultOfScans,
  SCAN_DELL_POWER_SCALE: resultOfScans,
  TAG_SEARCH_RESULT: resultOfOneTask,
  ARCHIVE_ARCHIWARE_FILES: resultOfOneTask,
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: resultOfOneTask,
  RESTORE_ARCHIWARE_FILES: resultOfOneTask,
  RESTORE_ARCHIWARE_SEARCH_RESULT: resultOfOneTask,
  SODA_TRANSFER: resultOfOneTask,
  SODA_TRANSFER_SEARCH_RESULT: resultOfOneTask,
  ARCHIVE_STORAGE_MANAGER_FILES: resultOfOneTask,
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: resultOfOneTask,
  RESTORE_STORAGE_MANAGER_FILES: resultOfOneTask,
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: resultOfOneTask,
  ICONIK_UPLOAD: resultOfOneTask,
  ICONIK_UPLOAD_SEARCH_RESULT: resultOfOneTask,
  GENERATE_REPORT: resultOfOneTask,
}

export const resultOf = ({ type, tasks }: { type: JobType; tasks: Tasks }): TaskResult | null => results[type](tasks)

function resultOfOneTask([task]: Tasks): TaskResult | null {
  return task?.result ?? null
}

/** Storages that were not scanned, or not completely, and notes of finished scans; null without any. */
function resultOfScans(tasks: Tasks): TaskResult | null {
  const failed = tasks.flatMap((task) => {
    const { status, result } = task
    if (status === 'WARNING') return fieldsOf(result).failedScanVolumeSettings ?? []
    if (status !== 'FAILURE' && status !== 'SCANNER_ERROR') return []
    return scannedStorages(task).map((id) => ({ id, reason: result?.reason ?? 'unknown' }))
  })
  const notes = new Set(tasks.flatMap(({ result }) => fieldsOf(result).note ?? []))
  const result = {
    ...(failed.length > 0 && { failedScanVolumeSettings: failed }),
    ...(notes.size > 0 && { note: [...notes].join(' ') }),
  }
  return Object.keys(result).length === 0 ? null : result
}

export const scannedStorages = (task: TypedPayload): number[] => taskPayloadOf(task, 'SCAN_VOLUMES')?.volumes ?? []
