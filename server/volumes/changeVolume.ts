import type { z } from 'zod'
import { VolumeSettingDraft } from '#events/volume-settings.ts'
import { recordChange } from '#server/platform/audit.ts'
import { type Actor, system } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { endVolume, insertVolume, rewriteVolume, streamOf } from './writeVolume.ts'

/** Sets up a file storage and returns its id; throws 400 for a name that is taken and an agent that does not exist. */
export async function createVolume(
  db: Db,
  given: z.input<typeof VolumeSettingDraft>,
  by: Actor = system,
): Promise<number> {
  const draft = VolumeSettingDraft.parse(given)
  return db.transaction().execute(async (trx) => {
    const id = await insertVolume(trx, draft)
    await recordChange(trx, streamOf(id), by, { after: draft })
    return id
  })
}

/** Changes a file storage that is no network volume: 409 for one. */
export async function updateVolume(db: Db, id: number, draft: VolumeSettingDraft, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await rewriteVolume(trx, id, draft)
    await recordChange(trx, streamOf(id), by, { before, after: draft })
  })
}

/** Deletes a file storage of any kind. Throws 409 while it is scanned. */
export async function removeVolume(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await endVolume(trx, id)
    await recordChange(trx, streamOf(id), by, { before })
  })
}
