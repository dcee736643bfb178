import { lastUse } from '#server/content/entries/lastUse.ts'
import { placeHash } from '#server/content/entries/places.ts'
import { billedOnce } from '#server/content/snapshots/reading/billedBytes.ts'
import { isInPartitions, snapshotColumns } from '#server/content/snapshots/reading/entriesAt.ts'
import { perVolume } from '#server/content/snapshots/reading/perVolume.ts'
import type { ClickHouse, QueryOptions } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import { dayOfMoment, daysOf, notEnded, type PastVolume, pricedClasses } from './history.ts'
import { followMoves } from './moves.ts'
import type { Tried } from './tried.ts'

/*
 * A rest is a version of a file on the days on which snapshots show it with one last use. A policy of some age acts on the first day on which
 * the last use is older than that, unless it acted on an earlier rest of the file, with no use in between: such rests have the same last use,
 * or an earlier one, as after a restore with old times. A file at the same path is the same one, also with another inode or after it was
 * deleted, and so is a moved one. It is used again if a later version shows a use later than all before.
 */

/** Ages in days, and what else is needed of files that are used again: a number of 64 bits, since grouping more takes long. */
export type ActedOptions = { ages: readonly number[]; about: Sql }
/** Volumes that are read at once, and how. */
export type Reading = { clickhouse: ClickHouse; tried: Tried; volumes: readonly PastVolume[]; options: QueryOptions }

/** Files of storages that are read at once: grouping their versions takes up to 200 bytes of memory for each. */
const filesAtOnce = 4_000_000

/** Reads storages one after another, or several small ones at once, and returns the rows of all. */
export async function readInTurns<Row>(
  reading: Omit<Reading, 'volumes'>,
  read: (some: Reading) => Promise<Row[]>,
): Promise<Row[]> {
  const turns: PastVolume[][] = []
  let files = Infinity
  for (const volume of reading.tried.volumes) {
    files += volume.files
    if (files > filesAtOnce) {
      turns.push([])
      files = volume.files
    }
    turns.at(-1)?.push(volume)
  }
  const rows: Row[] = []
  for (const volumes of turns) rows.push(...(await read({ ...reading, volumes })))
  return rows
}

/**
 * Files that a policy acts on, for use in a FROM: for each `age` the `day` on which it does, the day on which they are used `again` (0 for
 * never), their `volume`, `class` (see `pricedClasses`), `files`, `bytes`, and the requested facts `about` them. Equal ones are one row.
 */
export async function actedOn(reading: Reading, asked: ActedOptions): Promise<Sql> {
  const days = daysOf(reading.volumes)
  const above = Math.max(...asked.ages) + 1
  // Differences that matter at none of the ages are left out, so that few rows remain.
  return sql`(
    SELECT age, ${days.next(sql`greatest(first, used + age + 1)`)} AS day, again, volume, class, files, bytes, about
    FROM (
      SELECT volume, class, greatest(rest.used, rest.first - ${above}) AS used, rest.first AS first,
        greatest(rest.first, least(rest.last, used + ${above})) AS last, least(rest.settled, ${above}) AS settled,
        if(rest.again >= rest.last + ${maxRegretDays}, 0, rest.again) AS again, if(again = 0, 0, rest.about) AS about,
        toFloat64(count()) AS files, sum(toFloat64(rest.bytes)) AS bytes
      FROM (${await restsOf(reading, asked)}) AS rest
      GROUP BY volume, class, used, first, last, settled, again, about)
    ARRAY JOIN arrayFilter(age -> age >= settled AND greatest(first, used + age + 1) <= last, ${typed(asked.ages, 'Array(Int32)')}) AS age)`
}
const maxRegretDays = 365

const firstScanOf = ({ shown }: PastVolume): number => shown[0]?.scanId ?? notEnded

/** Rests that a policy of one of the ages could act on. `settled` is the age from which on no earlier rest was acted on. */
async function restsOf(reading: Reading, asked: ActedOptions): Promise<Sql> {
  const { clickhouse, volumes, options } = reading
  const firstScan = perVolume(volumes, firstScanOf, notEnded)
  const partitions = volumes.map(({ volumeId }) => String(volumeId))
  const closed = sql`(_partition_id IN ${partitions} AND NOT is_directory AND to_scan > ${firstScan})`
  const newest = sql`
    SELECT ${snapshotColumns}, toUInt64(${notEnded}) AS to_scan FROM entries WHERE ${isInPartitions(volumes)} AND NOT is_directory`
  const changing = sql`${newest} AND from_scan > ${firstScan} UNION ALL SELECT ${snapshotColumns}, to_scan FROM entry_history WHERE ${closed}`
  const { join: moved, file } = await followMoves(clickhouse, closed, options)
  const youngest = Math.min(...asked.ages)
  const canAct = ({ meant, first, last, used }: Record<'meant' | 'first' | 'last' | 'used', Sql>) =>
    sql`${meant} != 0 AND ${first} <= ${last} AND greatest(${first}, ${used} + ${youngest + 1}) <= ${last}`
  const [own, one, now] = [inColumns, partsOf(text('one')), partsOf(text('versions[at]'))]
  // Files that didn't change since the first scan have one version: grouping them would take most of the time.
  return sql`
    SELECT volume, class, first, last, used, toInt32(0) AS settled, again, bytes, about
    FROM (${versionsIn(reading, asked, sql`${newest} AND from_scan <= ${firstScan}`)}) WHERE ${canAct(own)}
    UNION ALL
    SELECT volume, toUInt16(${now.class}), ${now.first}, ${now.last}, ${now.used},
      arrayMax(one -> if(${one.meant} != 0 AND ${one.first} <= ${one.last}, ${one.last} - ${one.used}, 0), arraySlice(versions, since, at - since)),
      arrayFirst(use -> use > reached, arraySlice(uses, at + 1)), toUInt64(${now.bytes}), toUInt64(${now.about})
    FROM (
      SELECT volume, versions, at, arrayMap(one -> ${one.used}, versions) AS uses, arrayMax(arraySlice(uses, 1, at)) AS reached,
        indexOf(uses, reached) AS since
      FROM (
        SELECT volume, arraySort(groupArray(${packed})) AS versions FROM (${versionsIn(reading, asked, changing)}) AS versions ${moved}
        GROUP BY volume, ${file})
      ARRAY JOIN arrayFilter((at, one) -> ${canAct(one)}, arrayEnumerate(versions), versions) AS at)`
}

/** Places of the columns of a version in one number of 256 bits, by which versions are in order: grouping tuples takes three times as long. */
const places = {
  from_scan: 208,
  first: 192,
  last: 176,
  used: 160,
  meant: 144,
  class: 128,
  about: 64,
  bytes: 0,
} as const
const packed = join(
  Object.entries(places).map(([column, at]) => sql`bitShiftLeft(toUInt256(${text(column)}), ${at})`),
  ' + ',
)
const inColumns = { meant: text('meant'), first: text('first'), last: text('last'), used: text('used') }

/** The columns of a packed version. */
function partsOf(version: Sql) {
  const from = (column: keyof typeof places) => sql`bitShiftRight(${version}, ${places[column]})`
  const short = (column: keyof typeof places) => sql`toInt32(toUInt16(${from(column)}))`
  return {
    meant: short('meant'),
    first: short('first'),
    last: short('last'),
    used: short('used'),
    class: short('class'),
    about: from('about'),
    bytes: from('bytes'),
  }
}

/**
 * Versions with their first and last day in snapshots and their last use. If accesses make no versions, an earlier one is unknown: before the
 * day of the access, the last use was the last change. Where the creation isn't recorded, the beginning of a version is a use, as `isUntouched` says.
 */
function versionsIn({ tried, volumes }: Reading, { about }: ActedOptions, rows: Sql): Sql {
  const { snapshot, isMeant, keepsAccessTimes } = tried
  const days = daysOf(volumes)
  const firstScan = perVolume(volumes, firstScanOf, notEnded)
  const began = sql`if(created = toDateTime(0, 'UTC') AND from_scan > ${firstScan} AND first_day <= last_day, first_day, 0)`
  const use = sql`greatest(${dayOfMoment(lastUse(snapshot))}, ${began})`
  const change = sql`greatest(${dayOfMoment(sql`greatest(modified, created)`)}, ${began})`
  const classes = typed(pricedClasses(volumes), 'Array(String)')
  const whole = sql`[(first_day, last_day, use, toInt32(0))]`
  const parts = keepsAccessTimes
    ? whole
    : sql`if(use > change AND use > first_day, [(first_day, least(last_day, ${days.before(sql`use`)}), change, use), (use, last_day, use, toInt32(0))], ${whole})`
  return sql`
    SELECT volume, from_scan, place, meant, bytes, class, about, part.1 AS first, part.2 AS last, part.3 AS used, part.4 AS again
    FROM (
      SELECT volume, from_scan, ${placeHash} AS place, ${days.first(sql`from_scan`)} AS first_day, ${days.last(sql`to_scan`)} AS last_day,
        ${use} AS use, ${change} AS change, toBool(modified > toDateTime(0, 'UTC') AND ${isMeant}) AS meant,
        toUInt64(${billedOnce(snapshot)}) AS bytes, toUInt16(indexOf(${classes}, storage_class)) AS class, toUInt64(${about}) AS about
      FROM (${rows}))
    ARRAY JOIN ${parts} AS part`
}
