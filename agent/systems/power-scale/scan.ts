import type { Page, PageOptions } from '../system.ts'
import { type Baseline, readBaseline } from './baseline.ts'
import type { Client } from './client.ts'
import { changelistId, deleteChangelist } from './delta/changelist.ts'
import { FullScanNeeded, fullScanNote } from './delta/fullScan.ts'
import { listDelta } from './delta/listDelta.ts'
import { ignoreRules } from './delta/rules.ts'
import { newSpillFile, type SpillFile } from '../sortedRecords.ts'
import { usableBase } from './delta/usableBase.ts'
import { newDirectories } from './listing/directories.ts'
import { type Listing, listDirectory, listPart } from './listing/listPart.ts'
import { ownEntry } from './listing/ownEntry.ts'
import { type Head, readPart } from './listing/parts.ts'
import { openOwnSnapshot } from './ownSnapshot.ts'
import { removeLeftovers } from './snapshots.ts'

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
  /** Folder of the agent, for changes that exceed memory. */
  state: string
}

/** Facts of a scan that its parts carry to a later attempt, and that its baseline tells. */
type Progress = {
  changelist?: string | undefined
  note?: string | undefined
  /** Hard links of the snapshot; 'none' only as far as no listed file had several. */
  links?: Baseline['links']
}

/** A scan of a folder of a cluster through a snapshot of its own. */
export async function newScan(client: Client, options: ScanOptions, openSignal: AbortSignal) {
  const { path, scannedPath } = options
  const name = `${options.prefix}${options.scanId}`
  const isKept = scannedPath === '' && options.fullSnapshotDays > 0
  const own = await openOwnSnapshot(client, { name, path, isKept }, openSignal)
  const rules = ignoreRules(options.ignoredPaths)
  const listing = { directories: newDirectories(client, name), root: path, ...rules, hasLinks: false }
  const progress: Progress = {}
  let isListed = false
  const older = readBaseline(options.baseline)
  const tooMany = (reason: string) => new FullScanNeeded(`the list of changes is large, and ${reason}`)
  const spill = newSpillFile(options.state, tooMany)
  const scanning: Scanning = { client, options, own, listing, progress, older, spill }
  return {
    async page(text: string, { idle, signal }: PageOptions): Promise<Page> {
      if (text === '') return start({ ...scanning, signal }, name, idle)
      const part = readPart(text)
      own.resume(part.snapshot, part.days)
      progress.changelist ??= part.changelist
      progress.note ??= part.note
      return listPart(listing, part, { idle, signal })
    },
    check: own.check,
    baseline(): Baseline | undefined {
      isListed = true
      const id = own.id()
      const { links } = progress
      if (id === undefined || own.days() === 0) return undefined
      const isKnown = links === 'each' || (links === 'none' && !listing.hasLinks)
      return { host: options.host, path, id, days: own.days(), ...(isKnown && { links }) }
    },
    note: () => progress.note,
    close: spill.close,
    /** Removes what the cluster no longer needs once all is listed. Another attempt may still need it before. */
    async removeUnkept(signal: AbortSignal): Promise<void> {
      if (!isListed) return
      if (progress.changelist !== undefined) await deleteChangelist(client, progress.changelist, signal)
      await own.removeUnlessKept(signal)
    },
  }
}

type Scanning = {
  client: Client
  options: ScanOptions
  own: Awaited<ReturnType<typeof openOwnSnapshot>>
  listing: Listing & ReturnType<typeof ignoreRules>
  progress: Progress
  /** Baseline of the last scan. */
  older: Baseline | undefined
  spill: SpillFile
}
type Starting = Scanning & { signal: AbortSignal }

/** The first page: of a delta if it can be made, else of all. */
async function start(scan: Starting, name: string, idle: number): Promise<Page> {
  const { client, options, progress, older, signal } = scan
  if (options.scannedPath === '') await removeLeftovers(client, options.prefix, { name, id: older?.id }, signal)
  if (!options.isDelta) return startFull(scan, idle)
  try {
    return await startDelta(scan)
  } catch (error) {
    scan.spill.close()
    if (!(error instanceof FullScanNeeded)) throw error
    progress.note = fullScanNote(error.message)
    return startFull(scan, idle)
  }
}

async function startDelta(scan: Starting): Promise<Page> {
  const { client, options, own, listing, progress, older, spill, signal } = scan
  const base = await usableBase(client, options, older, signal)
  const head: Head = { snapshot: await own.take(options.deltaSnapshotDays, signal), days: own.days() }
  const pair = { older: base.id, newer: head.snapshot }
  head.changelist = progress.changelist = changelistId(pair)
  const { root, directories } = listing
  const links = older?.links
  const comparison = { pair, olderAt: base.created, links, directories, root, rules: listing, spill, signal }
  const delta = await listDelta(client, head, comparison)
  progress.links = delta.links
  return delta.page
}

async function startFull({ options, own, listing, progress, older, signal }: Starting, idle: number): Promise<Page> {
  const { scannedPath } = options
  const snapshot = await own.take(options.fullSnapshotDays, signal)
  const { changelist, note } = progress
  const head: Head = { snapshot, days: own.days(), ...(changelist && { changelist }), ...(note && { note }) }
  const entry = await ownEntry(listing, scannedPath, signal)
  if (entry && !entry.isDirectory) return { entries: [], rest: [] }
  progress.links = older?.links === 'each' ? 'each' : 'none'
  const page = await listDirectory(listing, head, scannedPath, { idle, signal })
  if (!entry) return page
  return scannedPath === '' ? { ...page, root: entry } : { ...page, entries: [entry, ...page.entries] }
}
