import { daysBefore } from '#events/contract/days.ts'
import { otherExtensions } from '#events/storages.ts'
import { timeZone } from '#server/platform/days.ts'
import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { insertInto, removeRows } from '#server/platform/clickhouse/statements.ts'
import { bytesOnDiskOnce } from '#server/content/snapshots/reading/billedBytes.ts'
import { attributes } from '#server/content/snapshots/reading/attributes.ts'
import { tablesOf } from '#server/workers/ingest/index.ts'
import { type Commit, type WrittenState, writtenRows } from './commit.ts'

/**
 * Dimensions of the file counts. Days are in the server's time zone. Unknown values count in the bucket ''; a file with
 * unreadable attributes is in that bucket of each dimension.
 */
const day = (column: string): Bucket => [
  `if(toUnixTimestamp(${column}) = 0, -1, toInt32(toDate(${column}, '${timeZone()}')))`,
  (key) => `if(${key} < 0, '', toString(toDate(${key})))`,
]
/** Same as `last_used` of `entries/times.ts`, of a file. */
const lastUsed = 'if(toUnixTimestamp(accessed) = 0, accessed, greatest(accessed, modified))'
const itself = (column: string): Bucket => [column, (key) => key]
/** Dimensions with as many values as files may have, such as `host,S=1700` of a mailbox. */
const unlimited: readonly string[] = ['EXTENSION', 'OWNER', 'GROUP']
const maxStoredKeys = 1_000
/** Keys are numbers where possible: a text for each file costs half as much again. */
type Bucket = [key: string, text: (key: string) => string]
const counted = () =>
  ({
    SIZE: [
      'multiIf(size < 0, -2, size = 0, -1, toInt8(floor(log2(size))))',
      (key) =>
        `multiIf(${key} = -2, '', ${key} = -1, '0', toString(bitShiftLeft(toUInt64(1), toUInt8(greatest(${key}, 0)))))`,
    ],
    MODIFIED_DATE: day('modified'),
    ACCESS_DATE: day(lastUsed),
    CREATION_DATE: day('created'),
    EXTENSION: itself('extension'),
    OWNER: itself('owner'),
    GROUP: itself('`group`'),
    STORAGE_CLASS: itself('storage_class'),
    BACKUP_DATE: day('backup_date'),
  }) satisfies Record<string, Bucket>

/** Each dimension, with the bucket of a file as it is stored. */
export const buckets = (): [dimension: string, bucket: string][] =>
  Object.entries(counted()).map(([dimension, [key, inWords]]) => [dimension, inWords(key)])

/** The dimensions of a file with its bucket in each, as an array. */
const inDimensions = (): Sql =>
  sql`[${join(
    buckets().map(([dimension, bucket]) => sql`(${dimension}, toString(${text(bucket)}))`),
    ', ',
  )}]`

/**
 * Counts the files of the scan by each dimension. `files` is their number. If nothing changed, keeps the last counts; with a layer, adds and
 * subtracts the files that changed.
 */
export async function countStatistics(
  commit: Commit,
  files: number,
  written: WrittenState | { volumeId: number; importedAs: number },
): Promise<void> {
  const { clickhouse, scan, volume } = commit
  const addCounts = (counts: Sql) => clickhouse.command(insertInto('volume_statistics', counts))
  await removeLeftovers(commit)
  const counting = sql`${writtenRows(written)} AND NOT is_directory`
  const isSame = 'comparison' in written && written.comparison === 'same'
  const canContinue = isSame || ('layers' in written && written.layers.length > 0)
  const beyond = canContinue ? await dimensionsBeyond(commit) : undefined
  if (beyond && isSame)
    return addCounts(sql`
      SELECT volume, ${scan.id}, dimension, bucket, files, bytes, on_disk, by_last_use FROM volume_statistics
      WHERE volume = ${volume.id} AND scan = ${volume.committedScan}`)
  if (!beyond && files <= maxStoredKeys) return addCounts(countsOfFew(commit, counting))
  const dimensions = Object.entries(counted())
  const anew = dimensions.filter(([dimension]) => !beyond || beyond.includes(dimension))
  const counts = anew.map(([dimension, [key, inWords]]) => {
    const byKey = countsBy(text(key), counting)
    return sql`
      SELECT ${dimension} AS dimension, ${text(inWords('key'))} AS bucket, files, bytes, on_disk
      FROM (${unlimited.includes(dimension) ? largestOf(byKey) : byKey})`
  })
  if (beyond) counts.push(continuedCounts(commit, beyond))
  await addCounts(sql`
    SELECT ${volume.id}, ${scan.id}, dimension, bucket, files, bytes, on_disk, true AS by_last_use FROM (${join(counts, ' UNION ALL ')})`)
}

/** The last counts with the files that appeared in `changes`, and without those that ended, in all dimensions but these. */
function continuedCounts({ scan, volume }: Commit, except: string[]): Sql {
  const { changes } = tablesOf(scan.id)
  const side = (of: 'n_' | 'o_', sign: 1 | -1) => sql`
    SELECT ${sign} AS sign, is_directory, ${text(attributes.map((name) => `\`${of}${name}\` AS \`${name}\``).join(', '))},
      size - repeated_size AS counted_size
    FROM ${changes} WHERE ${text(`${of}here`)} AND NOT is_directory`
  return sql`
    SELECT dimension, if(place > ${maxStoredKeys} AND dimension IN ${unlimited}, ${otherExtensions}, key) AS bucket, toUInt64(sum(counts.files)) AS files,
      toUInt64(sum(counts.bytes)) AS bytes, toInt64(sum(counts.on_disk)) AS on_disk
    FROM (
      SELECT dimension, key, files, bytes, on_disk,
        row_number() OVER (PARTITION BY dimension ORDER BY bytes DESC, files DESC, key) AS place
      FROM (
        SELECT dimension, key, sum(each.files) AS files, sum(each.bytes) AS bytes, sum(each.on_disk) AS on_disk
        FROM (
          SELECT toString(dimension) AS dimension, bucket AS key, toInt128(files) AS files, toInt128(bytes) AS bytes, toInt128(on_disk) AS on_disk
          FROM volume_statistics WHERE volume = ${volume.id} AND scan = ${volume.committedScan}
          UNION ALL
          SELECT counted.1, counted.2, toInt128(sign), toInt128(sign * greatest(counted_size, 0)), toInt128(sign * (${bytesOnDiskOnce}))
          FROM (${side('n_', 1)} UNION ALL ${side('o_', -1)}) ARRAY JOIN ${inDimensions()} AS counted) AS each
        WHERE dimension NOT IN ${except} GROUP BY dimension, key HAVING files > 0)) AS counts
    GROUP BY dimension, bucket`
}

/** The counts of so few files that each dimension keeps all of its keys, in one statement: planning one for each takes longer. */
function countsOfFew({ scan, volume }: Commit, counting: Sql): Sql {
  return sql`
    SELECT ${volume.id}, ${scan.id}, counted.1 AS dimension, counted.2 AS bucket, ${totals}, true AS by_last_use
    FROM (SELECT *, counted_size FROM ${counting}) ARRAY JOIN ${inDimensions()} AS counted GROUP BY dimension, bucket`
}

const countsBy = (key: Sql, counting: Sql): Sql => sql`
  SELECT ${key} AS key, ${totals}
  FROM ${counting} GROUP BY key`

/** A sum in the range of 64 bits. */
const inLimit = (column: Sql): Sql => sql`least(sum(toInt128(${column})), toInt128(9223372036854775807))`

const totals = sql`count() AS files, toUInt64(${inLimit(sql`greatest(counted_size, 0)`)}) AS bytes,
  toInt64(${inLimit(bytesOnDiskOnce)}) AS on_disk`

/** The keys with the most bytes, and all others as one. */
const largestOf = (counts: Sql): Sql => sql`
  SELECT if(place <= ${maxStoredKeys}, toString(counts.key), ${otherExtensions}) AS key, sum(counts.files) AS files,
    toUInt64(${inLimit(sql`counts.bytes`)}) AS bytes, toInt64(${inLimit(sql`counts.on_disk`)}) AS on_disk
  FROM (
    SELECT key, files, bytes, on_disk, row_number() OVER (ORDER BY bytes DESC, files DESC, key) AS place FROM (${counts})) AS counts
  GROUP BY key`

/**
 * The dimensions whose last counts can't be continued, as they lack some keys or are as large as can be; undefined if that is true of all. Earlier
 * versions counted unknown times as the first day, and also days after the scan, no bytes on disk, and accesses without changes.
 */
async function dimensionsBeyond({ clickhouse, scan, volume }: Commit): Promise<string[] | undefined> {
  const { outdated, beyond } = await clickhouse.one<{ outdated: number; beyond: string[] }>(sql`
    SELECT toFloat64(countIf(on_disk < 0 OR NOT by_last_use OR (endsWith(toString(dimension), '_DATE')
        AND bucket != '' AND (bucket <= '1970-01-01' OR bucket > ${daysBefore(scan.indexingDate, -2)})))) AS outdated,
      groupUniqArrayIf(toString(dimension), (bucket = ${otherExtensions} AND toString(dimension) IN ${unlimited})
        OR greatest(bytes, on_disk) >= 9223372036854775807) AS beyond
    FROM volume_statistics WHERE volume = ${volume.id} AND scan = ${volume.committedScan}`)
  return outdated > 0 ? undefined : beyond
}

async function removeLeftovers({ clickhouse, scan, volume }: Commit): Promise<void> {
  const left = sql`volume = ${volume.id} AND scan = ${scan.id}`
  const { rows } = await clickhouse.one<{ rows: number }>(
    sql`SELECT toFloat64(count()) AS rows FROM volume_statistics WHERE ${left}`,
  )
  if (rows > 0) await clickhouse.command(removeRows('volume_statistics', left))
}
