import { mediaExtensions } from '#events/media/extensions.ts'
import { contentKey } from '#server/content/media/contentKey.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { timeZone } from '#server/platform/days.ts'
import { offDiskRule, showsBlocks } from '../contents/compare.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { localVolumes, noFile, planPerVolume } from '../kit/parts.ts'
import { storeMedia } from './storeMedia.ts'

/** Condition: the name of a file says that it is a media file. */
export const isMedia: Sql = sql`extension IN ${mediaExtensions}`

/**
 * Reads media files of local file storages: one part for each storage, at its agent. The place of a file is the key of its content. Files that an
 * archive system has moved elsewhere are left out.
 */
export const readMedia: ActionHandler<'readMedia'> = {
  async plan({ db }, _, snapshot) {
    const { local, rules } = localVolumes(snapshot, "Media files in buckets and archives can't be read")
    return planPerVolume(
      db,
      local,
      sql`toString(${contentKey})`,
      ...rules,
      ...noFile,
      [sql`NOT ${isMedia}`, 'Not a media file'],
      await offDiskRule(db, local),
    )
  },
  async order({ db }, _, volumeId) {
    const { pace } = await db.selectFrom('volumes').select('pace').where('id', '=', volumeId).executeTakeFirstOrThrow()
    return {
      kind: 'readMedia',
      ...((await showsBlocks(db, volumeId)) && { onDiskOnly: true }),
      ...(pace && { pace: { ...pace, timeZone: timeZone() } }),
    }
  },
  results: { complete: async (_, __, files) => files, store: storeMedia, topic: 'media' },
}
