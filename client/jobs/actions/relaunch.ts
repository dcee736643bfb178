import { payloadOf } from '#events/jobs/payloads.ts'
import { scannedStorages } from '#events/jobs/results.ts'
import type { Job, Task } from '#events/jobs/events.ts'
import { everySource } from '#events/sources/kinds.ts'

const relaunchable: readonly Job['status'][] = ['WAITING', 'WARNING', 'FAILURE', 'SCANNER_ERROR']

/** Whether a scan that waits, failed or left something out can be started once more. */
export const canRelaunch = ({ type, status }: Pick<Job, 'type' | 'status'>): boolean =>
  everySource.some(({ scannedBy, canRelaunch }) => canRelaunch && scannedBy === type) && relaunchable.includes(status)

/** The file storages that failed, are paused or were not started, by their numbers. */
export function storagesToRelaunch(tasks: readonly Task[]): number[] {
  const scans = tasks.filter(({ type }) => type === 'SCAN_VOLUMES')
  return [...new Set(scans.flatMap(unfinished))].sort((a, b) => a - b)
}

/** The folders that scans of the job were limited to, by the numbers of their storages. */
export const foldersToRelaunch = (job: Pick<Job, 'type' | 'payload'>): Readonly<Record<string, string>> =>
  payloadOf(job, 'SCAN_ON_PREMISES')?.storageIdToPath ?? {}

const notScanned: readonly Task['status'][] = ['NEW', 'AVAILABLE', 'WAITING', 'FAILURE', 'SCANNER_ERROR']

function unfinished(task: Task): number[] {
  const { status, result } = task
  if (status === 'WARNING') return (result?.failedScanVolumeSettings ?? []).map(({ id }) => id)
  return notScanned.includes(status) ? scannedStorages(task) : []
}
