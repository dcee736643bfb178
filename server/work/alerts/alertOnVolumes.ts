import { groupByDisk, usableBytes, usedShare } from '#events/capacity.ts'
import { typesOf } from '#events/sources/kinds.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import type { AlertOutcome } from './evaluation.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import { fullPhrases, type ObjectAlert, percentText, reportObjects, type Watch } from './reportObjects.ts'

/** Kinds of storages whose space can be monitored. */
export const alertTypes = typesOf(({ group }) => group === 'file')

/** Sends a user the storages that are at least as full as the threshold, according to their newest scans. */
export async function alertOnVolumes(trx: Trx, alert: ObjectAlert & { volumeIds: number[] }): Promise<AlertOutcome> {
  const volumes = await spaceOf(trx, alert.volumeIds)
  return reportObjects(trx, alert, {
    watches: volumes,
    notes: await notesOf(trx, volumes, alert.volumeIds),
    phrases: { ...storagePhrases, ...fullPhrases(alert.threshold, 'the capacity') },
  })
}

/** Phrases about storages. */
export const storagePhrases = {
  one: 'storage',
  many: 'storages',
  page: (id?: number) => (id === undefined ? '/' : `/volumes/${id}`),
}

/** The disks of configured storages, each with its newest scan of any storage. */
async function spaceOf(trx: Trx, ids: number[]): Promise<Watch[]> {
  const rows = await trx
    .selectFrom('volumes')
    .leftJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'scans.id as scanId', 'scans.indexingDate as day'])
    .select(['capacityTotal as total', 'capacityUsed as used', 'capacityFree as free', 'fileSystem'])
    .where('volumes.deletedAt', 'is', null)
    .orderBy('volumes.name')
    .orderBy('volumes.id')
    .execute()
  const newestOf = new Map(
    groupByDisk(rows).flatMap((disk) => {
      const newest = disk.reduce((one, other) => ((other.scanId ?? 0) > (one.scanId ?? 0) ? other : one))
      return disk.map(({ id }) => [id, newest] as const)
    }),
  )
  return rows.flatMap(({ id, name, type }) => {
    const disk = newestOf.get(id)
    if (!disk || !ids.includes(id) || !alertTypes.includes(type)) return []
    const share = usedShare(disk)
    const free = sizeText((usableBytes(disk) ?? 0) - (disk.used ?? 0))
    const percent = share === undefined ? undefined : share * 100
    const text = `${name} is at ${percentText(percent)}`
    const capacity = `${free} available of ${sizeText(disk.total ?? 0)}`
    return [{ id, name, percent, text, line: `${percentText(percent)} used, ${capacity}, scanned on ${disk.day}` }]
  })
}

async function notesOf(trx: Trx, volumes: Watch[], ids: number[]): Promise<string[]> {
  const unknown = volumes.filter(({ percent }) => percent === undefined).map(({ name }) => name)
  return [
    ...(unknown.length > 0 ? [`the capacity of ${joinNames(unknown)} is not known`] : []),
    ...(await goneNotes(trx, volumes, ids)),
  ]
}

/** Names the storages of an alert that were deleted. */
export async function goneNotes(trx: Trx, found: { id: number }[], ids: number[]): Promise<string[]> {
  const gone = ids.filter((id) => !found.some((volume) => volume.id === id))
  if (gone.length === 0) return []
  const rows = await trx.selectFrom('volumes').select(['id', 'name']).where('id', 'in', gone).execute()
  const names = gone.map((id) => rows.find((row) => row.id === id)?.name ?? String(id))
  return [`${joinNames(names)} no longer set up`]
}
