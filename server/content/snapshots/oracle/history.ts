import type { Stores } from '#server/platform/platform.ts'
import { commitScan } from '#server/content/snapshots/commit/commitScan.ts'
import { changeDisk } from './changeDisk.ts'
import { type Disk, newDisk } from './disk.ts'
import { commitRows } from './expectedCommit.ts'
import { type Row, rowsOf } from './expectedRows.ts'
import { type Entries, learn } from './expectedVersions.ts'
import { comparable, leaveOut, remember, type Remembered } from './leaveOut.ts'
import type { Random } from './random.ts'
import { newScan, newVolume, stage } from './scanDisk.ts'
import { walkDisk } from './walkDisk.ts'

/** An entry that a scan found missing, in its last state. */
type MissingEntry = { key: string; row: Row; on: string }

/**
 * Expected state of a volume on a date: the day of its scan, its entries by key, and all deleted entries that didn't
 * return.
 */
export type ShownState = {
  volumeId: number
  name: string
  scannedOn: string
  rows: Map<string, Row>
  gone: MissingEntry[]
}

/** Effect of a scan on the entries of a volume: for each moved one its key after and before. */
export type ScanEffect = { volumeId: number; date: string; moves: Map<string, string> }

type Volume = ShownState & ScannedVolume

/** Several volumes that change and are scanned day after day, with the expected state of each date. */
export type History = { dates: Map<string, ShownState[]>; scans: ScanEffect[] }

/** Creates disks, scans one or all of them on each date, and changes them in between. */
export async function newHistory(
  stores: Stores,
  random: Random,
  { dates, disks = 2, entries = 60, afterScan = async () => {} }: PlannedHistoryScan,
): Promise<History> {
  const volumes: Volume[] = []
  for (let n = 1; n <= disks; n++) {
    const name = `Disk ${random.below(1e6)}`
    const started = { name, scannedOn: '', rows: new Map(), gone: [], disk: newDisk(random, entries), known: new Map() }
    volumes.push({ ...started, volumeId: await newVolume(stores, name) })
  }
  const history: History = { dates: new Map(), scans: [] }
  for (const [n, date] of dates.entries()) {
    for (const volume of volumes) {
      if (n > 0 && random.chance(0.3)) continue
      const scanned = await scan(stores, random, volume, date)
      history.scans.push(scanned)
      history.dates.set(date, volumes.filter(({ scannedOn }) => scannedOn !== '').map(stateOf))
      await afterScan(scanned, history)
      for (let change = 0; change < entries / 3; change++) changeDisk(random, volume.disk)
    }
  }
  return history
}
type PlannedHistoryScan = {
  dates: string[]
  disks?: number
  entries?: number
  afterScan?: (scanned: ScanEffect, soFar: History) => Promise<void>
}

const stateOf = ({ volumeId, name, scannedOn, rows, gone }: Volume): ShownState => ({
  volumeId,
  name,
  scannedOn,
  rows,
  gone: [...gone],
})

async function scan(stores: Stores, random: Random, volume: Volume, date: string): Promise<ScanEffect> {
  const { volumeId } = volume
  const { after, moves } = await scanVolume(stores, random, volume, date)
  const moved = new Set(moves.values())
  volume.gone = volume.gone.filter(({ key }) => !after.has(key))
  for (const [key, row] of volume.rows) if (!after.has(key) && !moved.has(key)) volume.gone.push({ key, row, on: date })
  Object.assign(volume, { rows: after, scannedOn: date })
  return { volumeId, date, moves }
}

export type ScannedVolume = {
  volumeId: number
  disk: Disk
  known: Entries
  rows: Map<string, Row>
  remembered?: Remembered
}

/** Scans and commits the disk of a volume, and updates its known entries. Returns its expected rows, and moves. */
export async function scanVolume(stores: Stores, random: Random, volume: ScannedVolume, indexingDate: string) {
  const { volumeId } = volume
  const scanId = await newScan(stores, { volumeId, indexingDate })
  const seen = walkDisk(volume.disk)
  const before = await comparable(stores, volumeId, volume.remembered)
  await stage(stores, random, scanId, before ? leaveOut(seen, before) : seen, '', before?.scan)
  await commitScan(stores, scanId, async () => {})
  volume.remembered = remember(scanId, seen)
  volume.known = learn(volume.known, seen)
  return commitRows(volume.rows, rowsOf(volume.known), scanId)
}
