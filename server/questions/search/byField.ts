import { type FieldTotals, type groupingFields, type MediaGrouping, mediaGroupings } from '#events/search/calls.ts'
import { typeOfFile } from '#server/content/entries/conditions.ts'
import { type EntrySelection, isCopy, queryOptions } from '#server/content/entries/selectEntries.ts'
import { reclaimableOf, type RepeatedBytes, repeatedBy, repeatedBytes } from '#server/content/entries/totals.ts'
import { type JoinedFacts, mediaValue, valueOf as factOf, withFact } from '#server/content/media/facts.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { billedBytes } from '#server/content/snapshots/reading/billedBytes.ts'
import { asReclaimable, asSizes } from './sizesBySearch.ts'

type OwnField = (typeof groupingFields)[number]
type Field = OwnField | MediaGrouping
const isOfMedia = (field: Field): field is MediaGrouping => mediaGroupings.some((one) => one === field)

/** The largest groups of entries with the same value of a field, by bytes. */
export async function byField(
  clickhouse: ClickHouse,
  found: EntrySelection,
  field: Field,
  size: number,
): Promise<FieldTotals[]> {
  const selection = isOfMedia(field) ? withGroup(found, field) : found
  const grouped = isOfMedia(field) ? mediaValue : valueOf(field, selection)
  const { from, where, snapshot } = selection
  const rows = await clickhouse.rows<{ value: string; bytes: number; billed: number; count: number; repeated: number }>(
    sql`
      SELECT toString(${grouped}) AS value, sum(toFloat64(greatest(size, 0))) AS bytes,
        sum(toFloat64(${billedBytes(snapshot)})) AS billed, count() AS count, ${repeatedBytes} AS repeated
      FROM ${from} WHERE ${where} GROUP BY value ORDER BY bytes DESC, count DESC, value LIMIT ${size}`,
    queryOptions(selection),
  )
  const hasLinks = rows.some(({ repeated }) => repeated > 0)
  const again = hasLinks ? await repeatedBy(clickhouse, selection, grouped) : new Map<string, RepeatedBytes>()
  const reclaimable = field === 'isDupe' ? await reclaimableOf(clickhouse, selection) : undefined
  const names = new Map(snapshot.volumes.map(({ volumeId, name }) => [String(volumeId), name]))
  const nameOf = (value: string) => (field === 'storageName' ? (names.get(value) ?? value) : value)
  return rows.map(({ value, bytes, billed, count }) => {
    const more = again.get(value) ?? { again: 0, billedAgain: 0 }
    return {
      field: nameOf(value),
      count,
      ...asSizes(bytes - more.again, billed - more.billedAgain),
      ...(value === 'true' && reclaimable && asReclaimable(reclaimable)),
    }
  })
}

function valueOf(field: OwnField, { snapshot }: EntrySelection): Sql {
  switch (field) {
    case 'storageName':
      return sql`volume`
    case 'isDupe':
      return sql`if(${isCopy(snapshot)}, 'true', 'false')`
    case 'fileType':
      return typeOfFile
    case 'extension':
      return sql`extension`
    case 'group':
      return sql`\`group\``
    case 'owner':
      return sql`owner`
  }
}

/** Files with a value that was read from their content, as `mediaValue`. */
function withGroup(found: EntrySelection, field: MediaGrouping): EntrySelection {
  const facts = groupedFacts[field]
  const value = { ...facts, value: sql`toString(${facts.value})` }
  const from = sql`${found.from} ${withFact(value, found.volumes ?? found.snapshot.volumes)}`
  return { ...found, from, where: sql`${found.where} AND ${mediaValue} != ''` }
}

/** The longer side of a video decides, so that one that was filmed upright has the same resolution. */
const longerSide = sql`greatest(numbers['video.width'], numbers['video.height'])`
const groupedFacts: Record<MediaGrouping, JoinedFacts> = {
  videoCodec: factOf('video.codec'),
  resolution: {
    ...factOf('video.width'),
    value: sql`multiIf(${longerSide} >= 7680, '8K', ${longerSide} >= 3840, '4K', ${longerSide} >= 1280, 'HD', 'SD')`,
  },
  frameRate: { ...factOf('video.frameRate'), value: sql`round(numbers['video.frameRate'], 3)` },
  camera: factOf('image.camera'),
  yearTaken: { ...factOf('image.takenOn'), value: sql`substring(texts['image.takenOn'], 1, 4)` },
}
