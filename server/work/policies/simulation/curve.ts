import { type Freed, regretDays, type Simulation } from '#events/policies/simulations.ts'
import { costOf, priceOfSome } from '#events/price-books.ts'
import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { isInPartitions } from '#server/content/snapshots/reading/entriesAt.ts'
import { type Counts, sumOf } from '../counts.ts'
import { dayText, type PastVolume, pricedClasses } from './history.ts'
import { actedOn, type Reading, readInTurns } from './rests.ts'
import type { ProjectFolder } from './tried.ts'

/** Files acted on, by one of three keys, and those of them that were used again within the days of `regretDays`. */
type Row = Counts & {
  age: number
  key: 'day' | 'owner' | 'folder'
  day: number
  volume: number
  class: number
  /** See `ownerNumber`. */
  ownerNumber: string
  /** Position of the innermost folder of a project, from 1 on; 0 outside of projects. */
  folder: number
  usedAgain: Counts[]
}

/** Tries a policy at each of the ages. */
export async function simulate(reading: Omit<Reading, 'volumes'>, ages: readonly number[]): Promise<Simulation> {
  const { volumes, dates, snapshot, keepsAccessTimes, folders } = reading.tried
  const rows = await readInTurns(reading, (some) => readRows(some, ages))
  const names = await readOwners(reading)
  const byAge = Map.groupBy(rows, ({ age }) => age)
  const [priceOf, newest] = [pricesOf(volumes), newestDays(volumes)]
  const months = [...new Set(dates.map((date) => date.slice(0, 7)))]
  return {
    from: dates[0] ?? null,
    to: dates.at(-1) ?? null,
    snapshots: dates.length,
    withoutAccessTimes: volumes
      .filter(({ volumeId }) => snapshot.unrecordedAccess.includes(volumeId))
      .map(({ name }) => name),
    keepsAccessTimes,
    ages: ages.map((days) => {
      const { day = [], owner = [], folder = [] } = Object.groupBy(byAge.get(days) ?? [], ({ key }) => key)
      const byMonth = Map.groupBy(day, (row) => dayText(row.day).slice(0, 7))
      return {
        days,
        total: freedOf(day, priceOf, newest),
        months: months.map((month) => ({ month, ...freedOf(byMonth.get(month) ?? [], priceOf, newest) })),
        projects: projectsOf(folder, folders),
        owners: largest(owner.map((row) => ({ owner: names.get(row.ownerNumber) ?? '', ...againOf(row) }))),
      }
    }),
  }
}

async function readRows(reading: Reading, ages: readonly number[]): Promise<Row[]> {
  const about = sql`bitOr(bitShiftLeft(${ownerNumber}, 16), ${folderOf(reading.tried.folders)})`
  const again = regretDays.map((days) => {
    const isAgain = sql`again != 0 AND again < day + ${days}`
    return sql`CAST((sumIf(acts.files, ${isAgain}), sumIf(acts.bytes, ${isAgain})), 'Tuple(files Float64, bytes Float64)')`
  })
  return reading.clickhouse.rows<Row>(
    sql`
      SELECT age, multiIf(grouping(day) = 0, 'day', grouping(owner) = 0, 'owner', 'folder') AS key, day, volume, class, toString(owner) AS ownerNumber, folder,
        sum(acts.files) AS files, sum(acts.bytes) AS bytes, [${join(again, ', ')}] AS usedAgain
      FROM (SELECT *, bitShiftRight(about, 16) AS owner, bitAnd(about, 65535) AS folder FROM ${await actedOn(reading, { ages, about })}) AS acts
      GROUP BY GROUPING SETS ((age, day, volume, class), (age, owner), (age, folder))
      HAVING key = 'day' OR usedAgain[${ofLists + 1}].files > 0`,
    reading.options,
  )
}
/** A number of the owner with 48 bits. */
const ownerNumber = sql`bitShiftRight(cityHash64(owner), 16)`

/** The names of owners by their numbers. */
async function readOwners({
  clickhouse,
  tried: { volumes },
  options,
}: Omit<Reading, 'volumes'>): Promise<Map<string, string>> {
  const ofTable = (from: string, where: Sql) =>
    sql`SELECT DISTINCT toString(owner) AS owner, toString(${ownerNumber}) AS number FROM ${text(from)} WHERE ${where}`
  const closed = sql`_partition_id IN ${volumes.map(({ volumeId }) => String(volumeId))}`
  const rows = await clickhouse.rows<{ number: string; owner: string }>(
    sql`${ofTable('entries', isInPartitions(volumes))} UNION DISTINCT ${ofTable('entry_history', closed)}`,
    options,
  )
  return new Map(rows.map(({ number, owner }) => [number, owner]))
}

/** Place in `regretDays` of the days by which owners and projects are listed. */
const ofLists = regretDays.indexOf(90)
const againOf = ({ usedAgain }: Row): Counts => usedAgain[ofLists] ?? { files: 0, bytes: 0 }
const maxNamed = 20

/** The position of the innermost folder that contains a version, from 1 on. */
function folderOf(folders: readonly ProjectFolder[]): Sql {
  const cases = folders
    .map(({ volumeId, path }, at) => ({
      path,
      when: sql`volume = ${volumeId} AND startsWith(parent_path, ${path}), ${at + 1}`,
    }))
    .toSorted((a, b) => b.path.length - a.path.length)
  return cases.length === 0
    ? sql`0`
    : sql`multiIf(${join(
        cases.map(({ when }) => when),
        ', ',
      )}, 0)`
}

/** The projects of the folders, which count with all folders below that are of other projects. */
function projectsOf(rows: readonly Row[], folders: readonly ProjectFolder[]) {
  const found = new Map<number, { id: number; name: string } & Counts>()
  for (const row of rows) {
    const inner = folders[row.folder - 1]
    const above = folders.filter(
      ({ volumeId, path }) => inner && volumeId === inner.volumeId && inner.path.startsWith(path),
    )
    for (const project of new Map(above.map(({ project }) => [project.id, project])).values()) {
      const known = found.get(project.id) ?? { ...project, files: 0, bytes: 0 }
      const { files, bytes } = againOf(row)
      found.set(project.id, { ...known, files: known.files + files, bytes: known.bytes + bytes })
    }
  }
  return largest([...found.values()])
}

const largest = <Named extends Counts>(rows: Named[]): Named[] =>
  rows.toSorted((a, b) => b.bytes - a.bytes || b.files - a.files).slice(0, maxNamed)

type PriceOf = (row: Row) => { currencySymbol: string; price: number } | undefined

/** The price of a storage class on the day on which a policy acts, per GiB and year. */
function pricesOf(volumes: readonly PastVolume[]): PriceOf {
  const classes = pricedClasses(volumes)
  const books = new Map(
    volumes.flatMap(({ volumeId, shown }) => shown.map(({ day, price }) => [`${volumeId} ${day}`, price])),
  )
  return ({ volume, day, class: number }) => {
    const book = books.get(`${volume} ${day}`)
    return book
      ? { currencySymbol: book.currencySymbol, price: priceOfSome(book, classes[number - 1]).price }
      : undefined
  }
}

/** The newest day of each storage. */
const newestDays = (volumes: readonly PastVolume[]) =>
  new Map(volumes.map(({ volumeId, shown }) => [volumeId, shown.at(-1)?.day ?? 0]))

function freedOf(rows: readonly Row[], priceOf: PriceOf, newest: ReadonlyMap<number, number>): Freed {
  const money = new Map<string, number>()
  for (const row of rows) {
    const { currencySymbol, price } = priceOf(row) ?? {}
    if (currencySymbol !== undefined && price !== undefined)
      money.set(currencySymbol, (money.get(currencySymbol) ?? 0) + costOf(row.bytes, price, 'Yearly'))
  }
  const regretAt = (place: 0 | 1 | 2) => {
    const known = rows.filter(({ day, volume }) => day + regretDays[place] <= (newest.get(volume) ?? 0))
    const againIn = (some: readonly Row[]) =>
      sumOf(some.map(({ usedAgain }) => usedAgain[place] ?? { files: 0, bytes: 0 }))
    return { ...againIn(rows), known: sumOf(known), knownAgain: againIn(known) }
  }
  return {
    ...sumOf(rows),
    money: [...money]
      .map(([currencySymbol, perYear]) => ({ currencySymbol, perYear }))
      .toSorted((a, b) => b.perYear - a.perYear),
    regret: { 30: regretAt(0), 90: regretAt(1), 365: regretAt(2) },
  }
}
