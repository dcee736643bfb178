import { metadataPrefix } from '#events/media/names.ts'
import { mediaRelationNames, mediaRelations } from '#events/media/relations.ts'
import { type FieldType, searchableFields, typeOfMetadata } from '#events/search/query.ts'
import { fieldsRead } from '#server/content/media/facts.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { maxCallMs } from '#server/platform/clickhouse/forCaller.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'

const maxKeys = 1000

/**
 * Lists the searchable fields of a snapshot; the metadata keys of a scan are read once per generation, unless the caller sees only a part.
 * A live state has those of its scan: files that are followed have no metadata.
 */
export function openFieldTypes(clickhouse: ClickHouse) {
  const known = new Map<string, { generation: number; keys: Promise<string[]> }>()
  const keysOf = (snapshot: Snapshot, volume: ShownVolume): Promise<string[]> => {
    const { volumeId, scanId, generation } = volume
    if (snapshot.partial.has(volumeId)) return readKeys(clickhouse, { ...snapshot, volumes: [volume] })
    const scan = `${generation} ${scanId}`
    const keys = known.get(scan)?.keys ?? readKeys(clickhouse, { ...snapshot, volumes: [volume] })
    known.set(scan, { generation, keys })
    keys.catch(() => known.delete(scan))
    return keys
  }
  return async (snapshot: Snapshot): Promise<Record<string, FieldType>> => {
    const scanned = snapshot.volumes.map((volume) => ({ ...volume, live: undefined }))
    const [media, ...own] = await Promise.all([
      fieldsRead(clickhouse, snapshot.volumes),
      ...scanned.map((volume) => keysOf(snapshot, volume)),
    ])
    const shown = new Set(snapshot.volumes.map(({ generation }) => generation))
    for (const [scan, { generation }] of known) if (!shown.has(generation)) known.delete(scan)
    const metadata = [...new Set([...media, ...own.flat()])]
      .sort()
      .slice(0, maxKeys)
      .map((key) => metadataPrefix + key)
    const relations = mediaRelationNames.filter((name) => media.includes(mediaRelations[name].needs))
    return {
      ...searchableFields,
      ...Object.fromEntries([...metadata, ...relations].map((field) => [field, typeOfMetadata(field)])),
    }
  }
}

/** Leaves out keys too long for a field name. */
async function readKeys(clickhouse: ClickHouse, ofVolume: Snapshot): Promise<string[]> {
  const { from, where } = sourceAt(ofVolume)
  const { keys } = await clickhouse.one<{ keys: string[] }>(
    sql`
      SELECT groupUniqArrayArray(${maxKeys})(arrayFilter(key -> length(key) BETWEEN 1 AND 500, mapKeys(metadata))) AS keys
      FROM ${from} WHERE ${where} AND notEmpty(metadata)`,
    { heavy: true, signal: AbortSignal.timeout(maxCallMs) },
  )
  return keys
}
