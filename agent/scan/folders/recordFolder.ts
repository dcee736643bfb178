import { pathOfChildren } from '#events/scans/entryRow.ts'
import type { CompareWith, ScanOrder } from '#events/sources/scanOrder.ts'
import {
  isInQuarantine,
  notEnteredText,
  notEnteredWords,
  quarantineFolder,
  readNotEntered,
} from '#events/scans/notEntered.ts'
import { reason } from '../../systems/local/index.ts'
import type { WalkBoundaries } from '../../systems/local/boundaries.ts'
import type { newBlockFiller } from '../../systems/local/blocks.ts'
import { type DiskEntry, type ListingRest, nameOf } from '../../systems/local/diskEntry.ts'
import type { LookupPace } from '../../systems/local/lookupPace.ts'
import { deviceOf, isFolder, modifiedOf, type Statx } from '../../systems/local/statx.ts'
import type { FolderSystem } from '../../systems/local/index.ts'
import { MissingFolder, ScanFailed } from '../../systems/system.ts'
import { nothingUnrecorded } from '../recordEntry.ts'
import { maxPathLength } from '../progress.ts'
import type { rulesOf } from '../rules.ts'
import { type Folder, folderOf, type Folders } from './folderStack.ts'
import type { FilesPool } from './filesPool.ts'
import type { FolderFiles } from './folderFiles.ts'
import type { LoopFinder } from './loops.ts'
import { countDiskEntry, countDiskFile, type DiskRecording, writeDiskEntry } from './recordDiskEntry.ts'

/** Ends the walk of a thread at once: the scan was stopped. */
export class WalkStopped extends Error {}

/** Everything that folders are listed with. `pulse` is called regularly, and throws `WalkStopped`. */
export type FolderRecording = DiskRecording & {
  system: FolderSystem
  rules: ReturnType<typeof rulesOf>
  /** That of the storage's root. */
  device: bigint | undefined
  boundaries: WalkBoundaries
  /** Only where a server may follow links. */
  loops: LoopFinder | undefined
  /** Only where a server reports the blocks of files, or none. Counts both. */
  fillBlocks: ReturnType<typeof newBlockFiller>
  /** Digests of files, and the scan that they are compared with. */
  digests: { files: FilesPool; known: Pick<CompareWith, 'scan' | 'isCheck'> | undefined } | undefined
  pulse(): void
  /** Only where a listing may leave a rest. */
  pace: LookupPace | undefined
  /** Called before each entry that is listed with one call after another, only where their number is limited. */
  turn: (() => void) | undefined
}

/** The recording of a scan: also its order, and the folder on this machine that its paths are relative to. */
export type ScanRecording = FolderRecording & { order: ScanOrder; root: string }

/** Records a folder while it is listed: each entry, then the end of the listing or the reason why it did not come. */
export type FolderRecorder = {
  readonly path: string
  /** An entry, which is valid during the call only. `isNoLoop`: it is known not to be its own ancestor. */
  take(entry: DiskEntry, isNoLoop?: boolean): void
  /** The folder is listed to its end. Returns the folders to list next. */
  end(): Folders
  /** It is not, for this reason. Throws `ScanFailed` for the storage's root. Returns the folders to list next. */
  fail(error: unknown): Folders
}

/** Starts a folder. `files` makes its digest, and must not be in use for another folder until this one has ended. */
export function newFolderRecorder(
  folder: Folder,
  recording: FolderRecording,
  files: FolderFiles | undefined,
): FolderRecorder {
  const { rules, batches, counts, fillBlocks, unreadable, pulse } = recording
  const path = folder.parentPath + folder.name
  const recordsFiles = rules.recordsFilesIn(path)
  const parentPath = `${path}/`
  const handle = batches.folder(parentPath)
  const unrecorded = nothingUnrecorded()
  const below: Folders = { parentPath: pathOfChildren(folder), names: [] }
  let children = 0
  files?.begin(path, (entry) => writeDiskEntry(entry, handle, batches))
  return {
    path,
    take(entry, isNoLoop) {
      pulse()
      // A name becomes a text only where somebody has to read it.
      if (isQuarantine(entry) || (rules.haveIgnored && rules.leavesOut(parentPath, nameOf(entry)))) return
      fillBlocks?.(entry.stat)
      const isDirectory = isFolder(entry.stat)
      if (!isDirectory && !recordsFiles) return countDiskFile(entry, handle, recording, unrecorded)
      countDiskEntry(entry, handle, recording)
      children++
      if (isDirectory || !files?.add(entry)) writeDiskEntry(entry, handle, batches)
      if (!isDirectory) return
      const name = nameOf(entry)
      const reason = reasonNotToEnter(entry, { parentPath, name }, recording, isNoLoop)
      if (reason === undefined) below.names.push(name)
      else batches.addNotEntered({ parentPath, name }, reason)
    },
    end() {
      endFiles(folder, files, recording)
      batches.addListed(folder, children, unrecorded)
      counts.directories++
      return below
    },
    fail(error) {
      files?.release()
      if (path === '') throw new ScanFailed(`The storage cannot be listed: ${reason(error)}`, { cause: error })
      // A folder that vanished since it was seen is an empty one until the next scan.
      if (error instanceof MissingFolder) batches.addListed(folder, 0)
      else {
        batches.addUnreadable(folder)
        unreadable(path, error)
      }
      counts.directories++
      return below
    },
  }
}

const quarantineName = Buffer.from(quarantineFolder)
/** Compares bytes, so that no text is made of each name. */
const isQuarantine = ({ stat, names, nameAt, nameEnd }: DiskEntry): boolean =>
  nameEnd - nameAt === quarantineName.length && isFolder(stat) && quarantineName.compare(names, nameAt, nameEnd) === 0

/** A folder whose listing was left unfinished: its storage is slow. */
export type LeftFolder = { folder: Folder; recorder: FolderRecorder; files: FolderFiles | undefined; rest: ListingRest }

/** Lists and records a folder. Returns the folders to list next; or what is left of it, for the receiver to end. */
export function recordFolder(folder: Folder, recording: FolderRecording): Folders | LeftFolder {
  const { system, pace, turn, digests } = recording
  const pool = digests?.files
  const files = pool?.take(true)
  const recorder = newFolderRecorder(folder, recording, files)
  const give = (below: Folders): Folders => {
    if (files) pool?.give(files)
    return below
  }
  try {
    const rest = system.list(recorder.path, turn ? (entry) => (turn(), recorder.take(entry)) : recorder.take, pace)
    return rest ? { folder, recorder, files, rest } : give(recorder.end())
  } catch (error) {
    if (error instanceof WalkStopped) throw error
    return give(recorder.fail(error))
  }
}

/** Reports that the files of a folder are unchanged, if they are. */
function endFiles(folder: Folder, files: FolderFiles | undefined, { digests, batches }: FolderRecording): void {
  const totals = files?.end()
  if (!totals || !digests?.known) return
  const { scan, isCheck } = digests.known
  batches.addUnchanged(folder, scan, isCheck ? undefined : totals)
}

/** Other file systems are seen and not entered, unless the order says so; nor are folders that are seen elsewhere. */
function reasonNotToEnter(entry: DiskEntry, folder: Folder, recording: FolderRecording, isNoLoop = false) {
  const { stat, error } = entry
  const { loops } = recording
  const reason = boundaryAt(folder, error === undefined ? stat : undefined, recording)
  if (reason !== undefined || isNoLoop || !loops || error !== undefined || folder.name === '') return reason
  // Looking up other folders may overwrite the entry.
  const same = loops.find(folder, modifiedOf(stat))
  return same === undefined ? undefined : notEnteredText('sameFolder', same)
}

function boundaryAt({ parentPath, name }: Folder, stat: Statx | undefined, recording: FolderRecording) {
  const { boundaries, device } = recording
  const path = parentPath + name
  if (path.length >= maxPathLength) return notEnteredText('tooDeep')
  return boundaries.reasonNotToEnter(path, stat && deviceOf(stat), device)
}

/** Returns names of folders. A folder that contains none of them is not its own ancestor, or is not entered anyway. */
export function signsOfLoop(folder: Folder, stat: Statx, recording: FolderRecording): string[] {
  const { loops, rules } = recording
  if (!loops || rules.leavesOut(folder.parentPath, folder.name)) return []
  return boundaryAt(folder, stat, recording) === undefined ? loops.signs(folder, modifiedOf(stat)) : []
}

/**
 * Begins with a folder that the order names; whether it is to be listed. Of the scanned path the entry goes first, with
 * those of the folders above it: no listing of this scan brings them.
 */
export function recordOrdered(path: string, recording: ScanRecording): boolean {
  const { order, root, system, batches } = recording
  if (isInQuarantine(root + path)) throw new ScanFailed(`${root}${path} is in quarantine, which scans leave out`)
  if (path === order.scannedPath) recordFoldersTo(path, recording)
  const entry = system.entry(path)
  const reason = entry && reasonNotToEnter(entry, folderOf(path), recording)
  const notEntered = readNotEntered(reason ?? '')
  if (reason === undefined || !notEntered) return true
  if (path === order.scannedPath)
    throw new ScanFailed(`${root}${path} is not included in this storage: ${notEnteredWords(notEntered)}`)
  batches.addNotEntered(folderOf(path), reason)
  return false
}

function recordFoldersTo(path: string, recording: FolderRecording): void {
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth++) {
    const folder = names.slice(0, depth).join('/')
    const entry = recording.system.entry(folder)
    if (!entry || !isFolder(entry.stat)) continue
    const above = recording.batches.folder(folderOf(folder).parentPath)
    writeDiskEntry(entry, above, recording.batches)
    countDiskEntry(entry, above, recording)
  }
}
