import { isDeepStrictEqual } from 'node:util'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { deletedAt } from '#server/content/snapshots/reading/deletedAt.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { fatesBetween } from './fatesBetween.ts'
import { changeDisk } from './changeDisk.ts'
import { newDisk } from './disk.ts'
import type { Row } from './expectedRows.ts'
import { groupsBySorting, groupsFound } from './groupsBySorting.ts'
import { type ScannedVolume, scanVolume } from './history.ts'
import type { Random } from './random.ts'
import { readRows } from './readRows.ts'
import { newVolume } from './scanDisk.ts'

type Volume = ScannedVolume & { id: number }

/**
 * State of each volume on a date, and its answers when it was created: deleted entries, and the later places of older
 * dates' entries.
 */
type KeptDate = { rows: Map<number, Map<string, Row>>; listed: unknown[]; fates: Map<string, string> }

/** Volumes that are scanned one after another, with the answers that every kept date must always return. */
export async function newKeptDates(stores: Stores, random: Random, names: string[]) {
  const volumes: Volume[] = []
  for (const name of names) {
    const id = await newVolume(stores, name)
    volumes.push({ id, volumeId: id, disk: newDisk(random, 25), known: new Map(), rows: new Map() })
  }
  const dates = new Map<string, KeptDate>()

  async function scan(date: string, volume = random.pick(volumes)): Promise<void> {
    volume.rows = (await scanVolume(stores, random, volume, date)).after
    const rows = new Map(volumes.flatMap(({ id }) => shownLast(dates, id, date)))
    rows.set(volume.id, volume.rows)
    dates.set(date, { rows, listed: await listedAsDeleted(stores, date), fates: new Map() })
    for (const older of dates.keys()) dates.get(date)?.fates.set(older, await fatesBetween(stores, older, date))
    for (let change = 0; change < 12; change++) changeDisk(random, volume.disk)
  }

  return { volumes, dates, scan, findWrong: () => findWrong(stores, volumes, dates) }
}

/** The state of a volume on the newest date up to a given one. */
function shownLast(dates: Map<string, KeptDate>, volumeId: number, upTo: string): [number, Map<string, Row>][] {
  const [last] = [...dates]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .filter(([date, { rows }]) => date <= upTo && rows.has(volumeId))
  const rows = last?.[1].rows.get(volumeId)
  return rows ? [[volumeId, rows]] : []
}

/** The dates with wrong answers, and the differences; should be empty. */
async function findWrong(stores: Stores, volumes: Volume[], dates: Map<string, KeptDate>): Promise<string[]> {
  const wrong: string[] = []
  const ids = new Set(volumes.map(({ id }) => id))
  for (const [date, { rows, listed, fates }] of dates) {
    const snapshot = await snapshotAt(stores.db, 'everything', date)
    if (snapshot?.indexingDate !== date) wrong.push(`${date} is not there`)
    const shown = snapshot?.volumes.map(({ volumeId }) => volumeId).filter((id) => ids.has(id)) ?? []
    if (inText([...rows.keys()]) !== inText(shown)) wrong.push(`${date} shows other volumes`)
    for (const [volumeId, expected] of rows)
      if (!isDeepStrictEqual(await readRows(stores, volumeId, date), expected))
        wrong.push(`${date} shows other entries of ${volumeId}`)
    if (inText(await listedAsDeleted(stores, date)) !== inText(listed)) wrong.push(`${date} lists others as deleted`)
    for (const [older, fate] of fates)
      if (dates.has(older) && (await fatesBetween(stores, older, date)) !== fate)
        wrong.push(`What ${older} shows went elsewhere by ${date}`)
    if (snapshot && inText(await groupsFound(stores, snapshot)) !== inText(await groupsBySorting(stores, snapshot)))
      wrong.push(`${date} has other duplicates`)
  }
  return wrong
}

const inText = (list: unknown[]): string =>
  list
    .map((each) => JSON.stringify(each))
    .sort()
    .join('\n')

async function listedAsDeleted({ db, clickhouse }: Stores, date: string): Promise<unknown[]> {
  const snapshot = await snapshotAt(db, 'everything', date)
  if (!snapshot) return []
  return clickhouse.rows(sql`
    SELECT volume, from_scan, parent_path, name, is_directory, size FROM ${await deletedAt(db, snapshot)}`)
}
