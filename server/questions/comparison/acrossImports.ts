import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { ComparedSnapshots } from './comparedVolumes.ts'
import { key } from './touchedPaths.ts'

/** Some tools write times without seconds. */
const sameTimeSeconds = 60

const side = (isNow: boolean, from: Sql, isWithin: Sql): Sql => sql`
  SELECT ${key}, ${isNow} AS is_now, e.size AS bytes, files + folders AS items, owner AS owned_by, etag AS hash,
    toInt64(toUnixTimestamp(if(is_directory, toDateTime(0, 'UTC'), modified))) AS changed
  FROM ${from} AS e WHERE ${isWithin}`

/**
 * The differences of storages of which one date shows an import: all entries of both dates by their paths, because no scan connects them. What one of them
 * doesn't know hasn't changed, and nothing has moved.
 */
export const acrossImports = ({ previous, now, rescanned }: ComparedSnapshots, isWithin: Sql): Sql => sql`
  SELECT ${key}, is_here, was_here, size, old_size, concat(parent_path, name) AS old_path,
    multiIf(NOT was_here, 'CREATED', NOT is_here, 'REMOVED', is_changed, 'CHANGED', '') AS kind
  FROM (
    SELECT ${key}, max(is_now) AS is_here, min(is_now) = 0 AS was_here, anyIf(bytes, is_now) AS size,
      anyIf(bytes, NOT is_now) AS old_size, anyIf((items, owned_by, hash, changed), is_now) AS one,
      anyIf((items, owned_by, hash, changed), NOT is_now) AS other,
      size != old_size OR one.1 != other.1 OR (one.2 != '' AND other.2 != '' AND one.2 != other.2)
        OR (one.3 != '' AND other.3 != '' AND one.3 != other.3)
        OR (one.4 > 0 AND other.4 > 0 AND abs(one.4 - other.4) >= ${sameTimeSeconds}) AS is_changed
    FROM (
      ${side(true, entriesAt({ ...now, volumes: rescanned }), isWithin)}
      UNION ALL
      ${side(false, entriesAt({ ...previous, volumes: rescanned.flatMap(({ across = [] }) => across) }), isWithin)})
    GROUP BY ${key})
  WHERE kind != ''
  SETTINGS max_bytes_before_external_group_by = 268435456`
