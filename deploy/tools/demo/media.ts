import { contentKey } from '#server/content/media/contentKey.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { insertInto } from '#server/platform/clickhouse/statements.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * Stores made-up facts about the videos and pictures of the demo, whose files have no content that could be read. Most camera
 * originals are ARRI in 4K, masters ProRes; a few proxies are smaller. Nine of ten files were read.
 */
export async function readMadeUpMedia({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>): Promise<void> {
  const files = sql`
    SELECT volume, ${contentKey} AS content, lower(extension) AS ending, size, cityHash64(content) % 100 AS dice,
      multiIf(ending = 'mxf', 'dnxhd', ending = 'mov', 'prores', dice < 30, 'hevc', 'h264') AS codec,
      transform(codec, ['dnxhd', 'prores', 'hevc', 'h264'], [440e6, 700e6, 12e6, 20e6], 1e6) AS rate,
      multiIf(dice < 8, 7680, dice < 45, 3840, dice < 92, 1920, 1280) AS width
    FROM ${entriesAt(await snapshotOrEmpty(db, 'everything'))}
    WHERE NOT is_directory AND size > 0 AND dice < 90 AND ending IN ('mov', 'mxf', 'mp4', 'jpg', 'exr', 'dpx')`
  const texts = sql`multiIf(ending IN ('exr', 'dpx'), CAST(map(), 'Map(String, String)'), ending = 'jpg',
    map('image.camera', if(dice < 50, 'SONY ILCE-7RM5', 'Canon EOS R5'), 'image.lens', '24-70mm F2.8',
      'image.takenOn', concat(toString(2019 + dice % 7), '-0', toString(1 + dice % 9), '-12T10:30:00')),
    map('video.codec', codec, 'media.container', if(ending = 'mxf', 'MXF', 'MPEG-4'), 'media.timecode', '01:00:00:00',
      'audio.codec', if(ending = 'mp4', 'aac', 'pcm')))`
  const numbers = sql`multiIf(
    ending IN ('exr', 'dpx'), ${asNumbers(sql`map('image.width', 4096, 'image.height', 2160, 'image.bitDepth', if(ending = 'exr', 16, 10))`)},
    ending = 'jpg', ${asNumbers(sql`map('image.width', 8192, 'image.height', 5464, 'image.bitDepth', 8)`)},
    ${asNumbers(sql`map('video.width', width, 'video.height', intDiv(width * 9, 16), 'video.frameRate', if(dice < 60, 23.976, 25),
      'video.bitRate', rate, 'video.bitDepth', if(ending = 'mp4', 8, 10), 'media.duration', round(size * 8 / rate, 2),
      'audio.channels', if(ending = 'mp4', 2, 8), 'audio.sampleRate', 48000)`)})`
  const details = sql`if(ending IN ('jpg', 'exr', 'dpx'), '', concat('{"tracks":[{"kind":"video","facts":{"Codec":"', codec,
    '"}},{"kind":"audio","facts":{"Language":"English"}}],"chapters":[]}'))`
  await clickhouse.command(
    insertInto(
      'media_facts',
      sql`SELECT volume, content, now64(3), '', ${texts}, ${numbers}, ${details} FROM (${files})`,
    ),
  )
}

const asNumbers = (map: Sql): Sql => sql`CAST(${map}, 'Map(String, Float64)')`
