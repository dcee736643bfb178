import { type FieldType, metadataPrefix, searchableFields } from '#events/search-query.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import type { ShownVolume, Snapshot } from '#server/snapshots/index.ts'

const mostKeys = 1000

/** Tells the fields that a snapshot can be searched by; which keys of metadata a generation has is read once. */
export function openFieldTypes(clickhouse: ClickHouse) {
  const known = new Map<number, Promise<string[]>>()
  const keysOf = (volume: ShownVolume): Promise<string[]> => {
    const { generation } = volume
    const keys = known.get(generation) ?? readKeys(clickhouse, volume)
    known.set(generation, keys)
    keys.catch(() => known.delete(generation))
    return keys
  }
  return async ({ volumes }: Snapshot): Promise<Record<string, FieldType>> => {
    const keys = (await Promise.all(volumes.map(keysOf))).flat()
    const shown = new Set(volumes.map(({ generation }) => generation))
    for (const generation of known.keys()) if (!shown.has(generation)) known.delete(generation)
    const metadata = [...new Set(keys)].sort().slice(0, mostKeys)
    return {
      ...searchableFields,
      ...Object.fromEntries(metadata.map((key) => [metadataPrefix + key, 'string'] as const)),
    }
  }
}

/** Keys that are too long to be a field's name are left out. */
async function readKeys(clickhouse: ClickHouse, { volumeId, generation }: ShownVolume): Promise<string[]> {
  const { keys } = await clickhouse.one<{ keys: string[] }>(
    sql`
      SELECT groupUniqArrayArray(${mostKeys})(arrayFilter(key -> length(key) BETWEEN 1 AND 500, mapKeys(metadata))) AS keys
      FROM entries WHERE volume = ${volumeId} AND generation = ${generation} AND notEmpty(metadata)`,
    { heavy: true },
  )
  return keys
}
