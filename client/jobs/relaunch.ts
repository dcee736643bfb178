import type { Job, Task } from '#events/jobs.ts'

const relaunchable: readonly Job['status'][] = ['WAITING', 'WARNING', 'FAILURE', 'SCANNER_ERROR']

/** Whether a scan that waits, failed or left something out can be started once more. */
export const canRelaunch = ({ type, status }: Pick<Job, 'type' | 'status'>): boolean =>
  type === 'SCAN_ON_PREMISES' && relaunchable.includes(status)

/** The file storages that failed or were not started, by their numbers. */
export function storagesToRelaunch(tasks: readonly Task[]): number[] {
  const scans = tasks.filter(({ type }) => type === 'SCAN_VOLUMES')
  return [...new Set(scans.flatMap(unfinished))].sort((a, b) => a - b)
}

/** The folders that scans of the job were limited to, by the numbers of their storages. */
export const foldersToRelaunch = ({ payload }: Pick<Job, 'payload'>): Readonly<Record<string, string>> =>
  ('volumes' in payload && payload.storageIdToPath) || {}

const failed: readonly Task['status'][] = ['FAILURE', 'SCANNER_ERROR']

function unfinished({ status, payload, result }: Task): number[] {
  if (status === 'WARNING') return (result?.failedScanVolumeSettings ?? []).map(({ id }) => id)
  const isLeft = status === 'NEW' || failed.includes(status)
  return isLeft && 'volumes' in payload ? payload.volumes : []
}
