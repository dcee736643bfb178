import type { NetworkVolumeDraft } from '#events/network-volumes.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { endVolume, insertVolume, type Kind, rewriteVolume, streamOf } from '#server/volumes/index.ts'
import { draftOf, settingOf, shareOf } from './networkVolumeRow.ts'

const networkVolume: Kind = { type: 'NetworkVolume', fields: { name: 'dataintellName', server: 'serverId' } }

/** Adds a network volume and returns its id; throws 400 for a taken name, an unknown agent and unknown credentials. */
export async function createNetworkVolume(db: Db, draft: NetworkVolumeDraft, by: Actor): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const share = shareOf(draft)
    await checkCredential(trx, share.credentialId)
    const volumeId = await insertVolume(trx, settingOf(draft), networkVolume)
    const row = { ...share, volumeId }
    const { id } = await trx.insertInto('networkVolumes').values(row).returning('id').executeTakeFirstOrThrow()
    await recordChange(trx, streamOf(volumeId), by, { after: draft })
    return id
  })
}

/** Changes a network volume; a scan that runs goes on with what it began with. */
export async function updateNetworkVolume(db: Db, id: number, draft: NetworkVolumeDraft, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { volumeId, ...mounted } = await lockShare(trx, id)
    const share = shareOf(draft)
    await checkCredential(trx, share.credentialId)
    const setting = await rewriteVolume(trx, volumeId, settingOf(draft), networkVolume)
    await trx.updateTable('networkVolumes').set(share).where('id', '=', id).execute()
    await recordChange(trx, streamOf(volumeId), by, { before: draftOf(setting, mounted), after: draft })
  })
}

/** Deletes a network volume as any file storage. Throws 409 while it is scanned. */
export async function removeNetworkVolume(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { volumeId, ...mounted } = await lockShare(trx, id)
    const setting = await endVolume(trx, volumeId)
    await recordChange(trx, streamOf(volumeId), by, { before: draftOf(setting, mounted) })
  })
}

/** The share of a network volume that is not deleted. */
async function lockShare(trx: Trx, id: number) {
  const row = await trx
    .selectFrom('networkVolumes')
    .innerJoin('volumes', 'volumes.id', 'networkVolumes.volumeId')
    .select(['volumeId', 'networkVolumes.type', 'host', 'shareName', 'options', 'credentialId'])
    .where('networkVolumes.id', '=', id)
    .where('volumes.deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? notFound('network volume', id)
}

/** Held until the network volume is there, so that the credentials are not deleted meanwhile. */
async function checkCredential(trx: Trx, id: number | null): Promise<void> {
  if (id === null) return
  const found = trx.selectFrom('networkCredentials').select('id').where('id', '=', id)
  if (!(await found.forKeyShare().executeTakeFirst()))
    invalid('networkVolumeCredential.id', 'must be credentials that exist')
}
