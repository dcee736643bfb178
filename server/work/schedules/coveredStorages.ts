import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { alertTypes } from '#server/work/alerts/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sourceVolumes } from '#server/scanning/sources/index.ts'
import { draftOf } from './scheduleRow.ts'
import { scannedBy } from './startScans.ts'

/** A configured storage. */
type Storage = { id: number; type: string }

/** IDs of the storages that schedules scan and that alerts of any user watch. Paused schedules and alerts don't count. */
export async function coveredStorages(
  trx: Trx,
  storages: readonly Storage[],
): Promise<{ scheduled: Set<number>; watched: Set<number> }> {
  const rows = await trx.selectFrom('schedules').selectAll().where('paused', '=', false).orderBy('id').execute()
  const scheduled = new Set<number>()
  const watched = new Set<number>()
  for (const draft of rows.map(draftOf)) {
    if (draft.jobGroup === 'ALERT') for (const id of watchedBy(draft, storages)) watched.add(id)
    else for (const id of await volumesScannedBy(trx, draft)) scheduled.add(id)
  }
  return { scheduled, watched }
}

/** Names of the schedules that scan a storage by its id. */
export async function schedulesNaming(trx: Trx, volumeId: number): Promise<string[]> {
  const rows = trx.selectFrom('schedules').selectAll().where('jobGroup', '=', 'SCANNER')
  const names: string[] = []
  for (const draft of (await rows.where('jobClass', '!=', 'SCAN_SERVER').orderBy('id').execute()).map(draftOf)) {
    const isAll = (await scannedBy(trx, draft)).ids === 'all'
    if (!isAll && (await volumesScannedBy(trx, draft)).includes(volumeId)) names.push(draft.name)
  }
  return names
}

async function volumesScannedBy(trx: Trx, draft: ScheduleDraft): Promise<number[]> {
  const { kind = 'any', ids } = await scannedBy(trx, draft)
  return (await sourceVolumes(trx, kind, ids)).map(({ volumeId }) => volumeId)
}

/**
 * Alerts of projects and reports watch no storage, and those of mass changes, which are added by default, replace none of the others. An alert of all storages includes those without a scan, since it will
 * watch them from their first one.
 */
function watchedBy(draft: Extract<ScheduleDraft, { jobGroup: 'ALERT' }>, storages: readonly Storage[]): number[] {
  const { jobClass, payload } = draft
  if (jobClass === 'PROJECT_SPACE_ALERT' || jobClass === 'REPORT_CHECK_ALERT' || jobClass === 'MASS_CHANGE_ALERT')
    return []
  if (!payload.all) return payload.resourceIds
  const isMeant = ({ type }: Storage) => jobClass !== 'VOLUME_SPACE_ALERT' || alertTypes.includes(type)
  return storages.filter(isMeant).map(({ id }) => id)
}
