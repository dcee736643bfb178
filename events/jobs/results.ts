import { type ActionJobType, actionOfType } from '#events/actions/actions.ts'
import { counted } from '#events/contract/counted.ts'
import { sumOfFound } from './found.ts'
import { taskPayloadOf } from './payloads.ts'
import { fieldsOf, maxFailedPaths, type TaskResult } from './taskResults.ts'
import type { JobStatus } from './states.ts'
import type { JobType } from './types.ts'

type TypedPayload = Parameters<typeof taskPayloadOf>[0]
/** The part of a task that determines the result of its job. */
type Task = TypedPayload & { status: JobStatus; result: TaskResult | null }
type Tasks = readonly Task[]

/** Results of jobs that are no actions, by type, computed from their tasks. The payload may have any shape. */
const results: Record<Exclude<JobType, ActionJobType>, (tasks: Tasks) => TaskResult | null> = {
  SCAN_ON_PREMISES: resultOfScans,
  SCAN_CLOUD: resultOfScans,
  SCAN_ARCHIWARE: resultOfScans,
  SCAN_DELL_POWER_SCALE: resultOfScans,
  TAG_SEARCH_RESULT: resultOfOneTask,
  GENERATE_REPORT: resultOfOneTask,
}

export const resultOf = ({ type, tasks }: { type: JobType; tasks: Tasks }): TaskResult | null =>
  actionOfType(type) ? resultOfAction(tasks) : results[type as keyof typeof results](tasks)

function resultOfOneTask([task]: Tasks): TaskResult | null {
  return task?.result ?? null
}

/** Sums of all parts, and the first failed files; null before one reported. */
function resultOfAction(tasks: Tasks): TaskResult | null {
  const parts = tasks.map(({ result }) => fieldsOf(result))
  if (parts.every((part) => Object.keys(part).length === 0)) return null
  const sum = (field: 'toDo' | 'bytesToDo' | 'done' | 'bytesDone' | 'failed' | 'leftOut') =>
    parts.reduce((total, part) => total + (part[field] ?? 0), 0)
  const failedPaths = parts.flatMap((part) => part.failedPaths ?? []).slice(0, maxFailedPaths)
  const [note, reason] = [textsOf(parts, 'note'), textsOf(parts, 'reason')]
  const found = sumOfFound(parts.flatMap((part) => part.found ?? []))
  return {
    toDo: sum('toDo'),
    bytesToDo: sum('bytesToDo'),
    done: sum('done'),
    bytesDone: sum('bytesDone'),
    failed: sum('failed'),
    leftOut: sum('leftOut'),
    ...(failedPaths.length > 0 && { failedPaths }),
    ...(note && { note }),
    ...(found && { found }),
    ...(reason && { reason }),
  }
}

type Fields = ReturnType<typeof fieldsOf>

const textsOf = (parts: readonly Fields[], field: 'note' | 'reason'): string =>
  [...new Set(parts.flatMap((part) => part[field] || []))].join(' ')

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

/**
 * States what a scan could not read; undefined if that is nothing. Odd records of an object store include those whose paths are counted
 * as unreadable.
 */
export function unreadText({ unreadable = 0, oddRecords = 0 }: Fields): string | undefined {
  const [count, noun] = oddRecords > 0 ? [oddRecords, 'record'] : [unreadable, 'path']
  return count === 0 ? undefined : `${counted(count, noun)} could not be read`
}

export const scannedStorages = (task: TypedPayload): number[] => taskPayloadOf(task, 'SCAN_VOLUMES')?.volumes ?? []
