import { mediaExtensions } from '#events/media/extensions.ts'
import { hasMedia } from '#events/sources/regions.ts'
import { contentKey } from '#server/content/media/contentKey.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { timeZone } from '#server/platform/days.ts'
import { conflict } from '#server/platform/problem.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { storeOf } from '#server/scanning/sources/index.ts'
import { offDiskRule, showsBlocks } from '../contents/compare.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { areIn, noFile, planPerVolume, type Rule } from '../kit/parts.ts'
import { storeMedia } from './storeMedia.ts'

/** Condition: the name of a file says that it is a media file. */
export const isMedia: Sql = sql`extension IN ${mediaExtensions}`

/** Classes of Amazon, Azure and Oracle whose objects have to be restored before they can be read. */
const archiveClasses = ['glacier', 'deep_archive', 'archive']

/** Leaves out objects that can't be read, or whose content has no key of its own: without a checksum nothing tells two of them apart. */
export function objectRules({ volumes }: Snapshot): Rule[] {
  const inBuckets = areIn(volumes.filter(({ type }) => hasMedia(type)))
  const inAzure = areIn(volumes.filter(({ type }) => type === 'AZURE'))
  const [gone, leadsOut] = noFile as [Rule, Rule]
  return [
    gone,
    // Only objects of S3 are read by their exact key.
    [sql`(${leadsOut[0]} AND (NOT ${inBuckets} OR ${inAzure}))`, leadsOut[1]],
    [
      sql`(${inBuckets} AND lower(storage_class) IN ${archiveClasses})`,
      'In an archive class. The object has to be restored to be read.',
    ],
    [sql`(${inBuckets} AND etag = '')`, 'The store lists no checksum of the object'],
  ]
}

/**
 * Reads media files of local file storages and buckets: one part for each storage, at its agent. The place of a file is the key of its content
 * and its ETag. Files that an archive system has moved elsewhere are left out.
 */
export const readMedia: ActionHandler<'readMedia'> = {
  async plan({ db }, _, snapshot) {
    const readable = snapshot.volumes.filter(({ type }) => type === 'crawl.files' || hasMedia(type))
    return planPerVolume(
      db,
      readable,
      sql`concat(toString(${contentKey}), ' ', etag)`,
      [sql`NOT ${areIn(readable)}`, 'Not on a local file storage or in a bucket'],
      ...objectRules(snapshot),
      [sql`NOT ${isMedia}`, 'Not a media file'],
      await offDiskRule(db, readable),
    )
  },
  async order(platform, _, volumeId) {
    const { db } = platform
    const volume = db.selectFrom('volumes').select(['pace', 'type']).where('id', '=', volumeId)
    const { pace, type } = await volume.executeTakeFirstOrThrow()
    const store = hasMedia(type) ? await storeOf(platform, volumeId) : undefined
    if (store?.type === 'DROPBOX') conflict('Media files in Dropbox are not read')
    return {
      kind: 'readMedia',
      ...(store ? { store } : (await showsBlocks(db, volumeId)) && { onDiskOnly: true }),
      ...(pace && { pace: { ...pace, timeZone: timeZone() } }),
    }
  },
  results: { complete: async (_, __, files) => files, store: storeMedia, topic: 'media' },
}
