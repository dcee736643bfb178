import { actionOfType, isOfPolicies } from '#events/actions/actions.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { isOpen } from '#events/jobs/states.ts'
import { payloadOf } from '#events/jobs/payloads.ts'
import { scannedStorages } from '#events/jobs/results.ts'
import type { Job, Task } from '#events/jobs/events.ts'
import { everySource } from '#events/sources/kinds.ts'

const relaunchable: readonly Job['status'][] = ['WAITING', 'WARNING', 'FAILURE', 'SCANNER_ERROR']

/** True for scans that wait, failed or were incomplete, and can be started again. */
export const canRelaunch = ({ type, status }: Pick<Job, 'type' | 'status'>): boolean =>
  everySource.some(({ scannedBy, canRelaunch }) => canRelaunch && scannedBy === type) && relaunchable.includes(status)

/** True for actions that have ended with files that they are not done with. */
export function canRelaunchRest({ type, status, result }: Pick<Job, 'type' | 'status' | 'result'>): boolean {
  const { toDo = 0, done = 0 } = fieldsOf(result)
  const action = actionOfType(type)
  return action !== undefined && !isOfPolicies(action) && !isOpen({ status }) && done < toDo
}

/** Ids of storages that failed, are paused or were not started. */
export function storagesToRelaunch(tasks: readonly Task[]): number[] {
  const scans = tasks.filter(({ type }) => type === 'SCAN_VOLUMES')
  return [...new Set(scans.flatMap(unfinished))].sort((a, b) => a - b)
}

/** Folder limits of the job's scans, by storage id. */
export const foldersToRelaunch = (job: Pick<Job, 'type' | 'payload'>): Readonly<Record<string, string>> =>
  payloadOf(job, 'SCAN_ON_PREMISES')?.storageIdToPath ?? {}

const notScanned: readonly Task['status'][] = ['NEW', 'AVAILABLE', 'WAITING', 'FAILURE', 'SCANNER_ERROR']

function unfinished(task: Task): number[] {
  const { status, result } = task
  if (status === 'WARNING') return (fieldsOf(result).failedScanVolumeSettings ?? []).map(({ id }) => id)
  return notScanned.includes(status) ? scannedStorages(task) : []
}
