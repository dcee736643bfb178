import { type Page, ScanFailed } from '../system.ts'
import { type Baseline, readBaseline } from './baseline.ts'
import type { Client } from './client.ts'
import { changelistId, deleteChangelist } from './delta/createChangelist.ts'
import { FullScanNeeded, fullScanNote } from './delta/fullScan.ts'
import { listDelta } from './delta/listDelta.ts'
import { type IgnoreRules, ignoreRules } from './delta/rules.ts'
import { newDirectories } from './listing/directories.ts'
import { type Listing, listDirectory, listPart } from './listing/listPart.ts'
import { ownEntry } from './listing/ownEntry.ts'
import { type Head, readPart } from './listing/parts.ts'
import { removeLeftovers } from './leftovers.ts'
import {
  createSnapshot,
  daysOf,
  deleteSnapshot,
  findSnapshot,
  isActive,
  setExpiry,
  type Snapshot,
} from './snapshots.ts'
import { usableBase } from './delta/usableBase.ts'

/** Place and settings of a scan. `days` are those after which its snapshot expires; 0 keeps none. */
export type ScanOptions = {
  host: string
  path: string
  isDelta: boolean
  fullSnapshotDays: number
  deltaSnapshotDays: number
  /** Start of the names of all snapshots of this storage. */
  prefix: string
  scanId: number
  ignoredPaths: string[]
  scannedPath: string
  baseline: string | undefined
}

/** A snapshot that is not kept expires after this many days, should its scan not end. */
const daysOfUnkept = 7

/** A scan of a folder of a cluster through a snapshot of its own. */
export async function newScan(client: Client, options: ScanOptions, openSignal: AbortSignal) {
  const { path: root, scannedPath } = options
  const name = `${options.prefix}${options.scanId}`
  const rules = ignoreRules(options.ignoredPaths)
  const directories = newDirectories(client, name)
  const listing: Listing = { directories, root, isIgnored: rules.isIgnored }
  const older = readBaseline(options.baseline)
  let own = await findSnapshot(client, name, openSignal)
  const isKept = scannedPath === '' && options.fullSnapshotDays > 0
  let days = isKept && own ? daysOf(own) : 0
  let changelist: string | undefined
  let note: string | undefined
  let isListed = false

  /** The snapshot of the scan. One that an interrupted attempt has made is used again. */
  const takeSnapshot = async (daysKept: number, signal: AbortSignal): Promise<Snapshot> => {
    days = daysKept
    const lasting = days === 0 ? daysOfUnkept : days
    if (own && (!isActive(own) || own.path !== root))
      throw new ScanFailed(`The snapshot ${name} is not one of ${root}.`)
    if (own) await setExpiry(client, String(own.id), lasting, signal)
    return (own ??= await createSnapshot(client, { name, path: root, days: lasting }, signal))
  }

  const headOf = ({ id }: Snapshot): Head => ({
    snapshot: String(id),
    ...(changelist !== undefined && { changelist }),
    ...(note !== undefined && { note }),
  })

  const startDelta = async (signal: AbortSignal): Promise<Page> => {
    const base = await usableBase(client, options, older, signal)
    const { id } = await takeSnapshot(options.deltaSnapshotDays, signal)
    const pair = { older: base.id, newer: String(id) }
    changelist = changelistId(pair)
    const head = { snapshot: String(id), changelist }
    return listDelta(client, head, { pair, olderAt: base.created, directories, root, rules, signal })
  }

  const startFull = async (idle: number, signal: AbortSignal): Promise<Page> => {
    const head = headOf(await takeSnapshot(isKept ? options.fullSnapshotDays : 0, signal))
    const entry = await ownEntry(listing, scannedPath, signal)
    if (entry && !entry.isDirectory) return { entries: [], rest: [] }
    const page = await listDirectory(listing, head, scannedPath, { idle, signal })
    if (!entry) return page
    if (scannedPath === '') return { ...page, root: entry }
    return { ...page, entries: [entry, ...page.entries] }
  }

  const start = async (idle: number, signal: AbortSignal): Promise<Page> => {
    if (scannedPath === '') await removeLeftovers(client, options.prefix, { name, id: older?.id }, signal)
    if (options.isDelta) {
      try {
        return await startDelta(signal)
      } catch (error) {
        if (!(error instanceof FullScanNeeded)) throw error
        note = fullScanNote(error.message)
      }
    }
    return startFull(idle, signal)
  }

  return {
    async page(text: string, { idle, signal }: { idle: number; signal: AbortSignal }): Promise<Page> {
      if (text === '') return start(idle, signal)
      const part = readPart(text)
      if (!own || String(own.id) !== part.snapshot) throw snapshotGone(name)
      changelist ??= part.changelist
      note ??= part.note
      return listPart(listing, part, { idle, signal })
    },
    /** Throws `ScanFailed` where the snapshot was deleted during the scan: what is missing then was not deleted. */
    async check(signal: AbortSignal): Promise<void> {
      const snapshot = own && (await findSnapshot(client, String(own.id), signal))
      if (own && !(snapshot && isActive(snapshot))) throw snapshotGone(name)
    },
    baseline(): Baseline | undefined {
      isListed = true
      if (!own || days === 0) return undefined
      return { host: options.host, path: root, id: String(own.id), days }
    },
    note: () => note,
    /** Removes what the cluster no longer needs once all is listed. Another attempt may still need it before. */
    async removeUnkept(signal: AbortSignal): Promise<void> {
      if (!isListed) return
      if (changelist !== undefined) await deleteChangelist(client, changelist, signal)
      if (own && days === 0) await deleteSnapshot(client, String(own.id), signal)
    },
  }
}

const snapshotGone = (name: string) =>
  new ScanFailed(`The snapshot ${name} was deleted during the scan. Start the scan again.`)
