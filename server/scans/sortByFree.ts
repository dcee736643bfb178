import type { Trx } from '#server/platform/log/eventLog.ts'

/** A file storage that can be scanned. */
export type Found = { id: number; name: string; agentId: number }

type Sorted = { free: number[]; busy: string[]; gone: number[] }

/**
 * Which of the volumes can be scanned now, the names of those that a scan has already, and those that are not set up any
 * more. Nobody else begins to scan one of them until the transaction is over.
 */
export async function sortByFree(trx: Trx, volumeIds: number[]): Promise<Sorted> {
  const volumes = await lockVolumes(trx, volumeIds)
  const open = await trx
    .selectFrom('scans')
    .select('volumeId')
    .where('volumeId', 'in', [0, ...volumeIds])
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .execute()
  const isBusy = ({ id }: Found) => open.some(({ volumeId }) => volumeId === id)
  return {
    free: volumes.filter((volume) => !isBusy(volume)).map(({ id }) => id),
    busy: volumes.filter(isBusy).map(({ name }) => name),
    gone: volumeIds.filter((id) => !volumes.some((volume) => volume.id === id)),
  }
}

/** In one order, so that two who lock several of them do not wait for each other. */
export const lockVolumes = (trx: Trx, ids: number[]): Promise<Found[]> =>
  trx
    .selectFrom('volumes')
    .select(['id', 'name', 'agentId'])
    .where('id', 'in', [0, ...ids])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
