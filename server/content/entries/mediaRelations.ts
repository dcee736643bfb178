import type { MediaRelation } from '#events/media/relations.ts'
import { contentKey } from '#server/content/media/contentKey.ts'
import { factsIn } from '#server/content/media/facts.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { join, name, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { nameText } from './conditions.ts'
import { placeHash } from './places.ts'

/** Condition: a file has the relation to another one, or doesn't; see `mediaRelations`. Only files that were read meet either. */
export const isRelated = (relation: MediaRelation, isMeant: boolean, snapshot: Snapshot): Sql =>
  sql`(NOT is_directory AND ${placeHash} IN (${relations[relation](snapshot, isMeant)}))`

const relations: Record<MediaRelation, (snapshot: Snapshot, isMeant: boolean) => Sql> = {
  'metadata.video.hasProxy': videos,
  'metadata.image.hasOtherSizes': images,
}

/**
 * Files of a snapshot with facts that meet a condition, for a FROM: `place`, `stem`, `parent_path`, `volume`, and expressions of their facts.
 */
function mediaFiles(snapshot: Snapshot, endings: string, facts: Record<string, Sql>, where: Sql): Sql {
  const columns = Object.entries(facts).map(([column, value]) => sql`${value} AS ${name(column)}`)
  return sql`(
    SELECT ${placeHash} AS place, ${stemOf(endings)} AS stem, parent_path, volume, ${join(Object.keys(facts).map(name), ', ')}
    FROM ${entriesAt({ ...snapshot, withoutAbove: true })} AS files
    INNER JOIN (
      SELECT volume AS media_volume, content AS media_content, ${join(columns, ', ')} FROM ${factsIn(snapshot.volumes)} AND ${where}
    ) AS media ON volume = media_volume AND ${contentKey} = media_content
    WHERE NOT is_directory)`
}

/** The key of a name without its extension and endings, unless that is all of it. */
const stemOf = (endings: string): Sql =>
  [String.raw`\.[a-z0-9]{1,5}$`, `(${endings})+$`].reduce(
    (text, ending) => sql`ifNull(nullIf(replaceRegexpOne(${text}, ${ending}, ''), ''), ${text})`,
    nameText.key,
  )

const hasNumbers = (...fields: string[]): Sql => sql`failure = '' AND hasAll(mapKeys(numbers), ${fields})`

/** Compares with a window over tenths of seconds. A join of pairs would be slow where thousands share a name, as segments of streams do. */
function videos(snapshot: Snapshot, isMeant: boolean): Sql {
  const facts = {
    tenths: sql`toInt64(round(numbers['media.duration'] * 10))`,
    pixels: sql`numbers['video.width'] * numbers['video.height']`,
    bit_rate: sql`numbers['video.bitRate']`,
  }
  const isRead = hasNumbers('video.width', 'video.height', 'media.duration')
  return sql`
    SELECT place FROM (
      SELECT place, pixels, bit_rate, min(pixels) OVER alike AS min_pixels, min(if(bit_rate > 0, bit_rate, inf)) OVER alike AS min_rate
      FROM ${mediaFiles(snapshot, '[-_. ](proxy|lowres|preview|h264)', facts, isRead)}
      WINDOW alike AS (PARTITION BY stem ORDER BY tenths RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING))
    WHERE (min_pixels < pixels OR min_rate * 2 < bit_rate) = ${isMeant}`
}

/**
 * Groups images by name and by what else they must share: the time of taking, or a folder. An image is compared with those in its folder
 * (level 0), in the one above (level 1), and in those below, which offer themselves to the folder above. Midnight is the time of dates
 * alone and of clocks that were reset.
 */
function images(snapshot: Snapshot, isMeant: boolean): Sql {
  const hashOf = (text: Sql) => sql`if(${text} = '', 0, sipHash64(${text}))`
  const facts = {
    taken: hashOf(sql`if(endsWith(texts['image.takenOn'], 'T00:00:00'), '', texts['image.takenOn'])`),
    camera: hashOf(sql`texts['image.camera']`),
    longer: sql`greatest(numbers['image.width'], numbers['image.height'])`,
    shorter: sql`least(numbers['image.width'], numbers['image.height'])`,
  }
  const endings = String.raw`[-_](\d+x\d+|\d+px|small|medium|large|thumb|scaled)|@[1-4]x`
  const above = sql`substring(parent_path, 1, length(parent_path) - position(reverse(parent_path), '/', 2) + 1)`
  const roles = sql`arrayConcat(if(taken = 0, [], [(sipHash64(stem, taken), true, true)]), [
    (sipHash64(stem, volume, parent_path, 0), true, true), (sipHash64(stem, volume, parent_path, 1), true, false),
    (sipHash64(stem, volume, ${above}, 0), true, false), (sipHash64(stem, volume, ${above}, 1), false, true)])`
  return sql`
    SELECT file.1 FROM (
      SELECT groupUniqArrayIf(shape, role.2) AS offered, groupArrayIf((place, shape), role.3) AS compared
      FROM (
        SELECT place, (taken, camera, longer, shorter) AS shape, arrayJoin(${roles}) AS role
        FROM ${mediaFiles(snapshot, endings, facts, hasNumbers('image.width', 'image.height'))})
      GROUP BY role.1)
    ARRAY JOIN compared AS file
    GROUP BY file.1 HAVING max(arrayExists(other -> ${isOtherSize(sql`file.2`, sql`other`)}, offered)) = ${isMeant}`
}

/** Condition on two shapes: time of taking, camera, longer and shorter side. */
const isOtherSize = (one: Sql, other: Sql): Sql => sql`
  (${one}.1 = ${other}.1 OR ${one}.1 = 0 OR ${other}.1 = 0) AND (${one}.2 = ${other}.2 OR ${one}.2 = 0 OR ${other}.2 = 0)
  AND abs(${one}.3 / ${other}.3 - 1) > 0.01 AND abs(${one}.3 * ${other}.4 / (${one}.4 * ${other}.3) - 1) <= 0.01`
