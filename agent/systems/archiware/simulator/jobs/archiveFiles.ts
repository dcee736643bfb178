import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { latestOf } from '../contents/indexEntry.ts'
import { type ClientFile, filesAt, splitPath } from '../contents/clientFiles.ts'
import type { P5 } from '../contents/p5.ts'
import { type Client, type Plan, writtenVolume } from '../contents/resources.ts'
import { type JobFile, type JobLimits, processEach } from './jobs.ts'

/** An archive job as it was submitted. Paths in the index are whole, or else without their leading directories. */
export type Archive = {
  p5: P5
  plan: Plan
  client: Client
  index: ArchiveIndex
  indexRoot: string
  keepsWholePaths: boolean
}

/** A requested path, and its form with doubled backslashes in the submission. */
export type RequestedPath = { path: string; sent: string }

/** Path in the index of a file at or below a requested path, without a leading slash. */
export function indexPath({ keepsWholePaths, indexRoot }: Archive, path: string, request: RequestedPath): string {
  const kept = keepsWholePaths ? path : path.slice(splitPath(request.path).parent.length)
  return `${indexRoot}/${kept}`.split('/').filter(Boolean).join('/')
}

/** True if an incremental plan leaves a file out, because its index has this size and time. */
export function isArchived(archive: Archive, file: ClientFile, request: RequestedPath): boolean {
  const entry = archive.index.find(indexPath(archive, file.path, request))
  if (!archive.plan.isIncremental || file.isDirectory || !entry || entry.children) return false
  return latestOf(entry).size === file.size && latestOf(entry).mtime === file.mtime
}

/** A file or directory to archive. Without `file`, a requested path that is gone. */
type FoundFile = {
  path: string
  entry: string
  size: number
  file: ClientFile | undefined
}

/** Archives files, and deletes those sources if the plan says so. Directories are archived unless a limit ends the job before. */
export function archiveFiles(archive: Archive, requests: RequestedPath[], limits: JobLimits): JobFile[] {
  if (!archive.client.isOnline) throw new Error(`Client "${archive.client.name}" does not respond`)
  const found = requests.flatMap((request) => findFiles(archive, request))
  const [directories, files] = [true, false].map((isDirectory) =>
    found.filter(({ file }) => (file?.isDirectory ?? false) === isDirectory),
  ) as [FoundFile[], FoundFile[]]
  const archived: ClientFile[] = []
  const add = (each: FoundFile) => {
    if (!each.file) throw new Error('No such file or directory')
    addLater(archive, each.file, each.entry)
    archived.push(each.file)
  }
  if (limits.maxFiles > 0) for (const directory of directories) add(directory)
  const processed = processEach(files, limits, add)
  for (const file of archived.toReversed()) deleteSource(archive, file)
  return processed
}

function findFiles(archive: Archive, request: RequestedPath): FoundFile[] {
  const { path } = request
  const files = filesAt(archive.client, path)
  if (files.length === 0) return [{ path, entry: indexPath(archive, path, request), size: 0, file: undefined }]
  return files
    .filter((file) => !isArchived(archive, file, request))
    .map((file) => ({ path: file.path, entry: indexPath(archive, file.path, request), size: file.size, file }))
}

/** Simulated time between the end of an archive job and its entries in the index. */
const indexDelayMs = 3_000

/** Copies a file to tape. Its entry appears in the index after a delay. */
function addLater({ p5: { clock, tape }, index }: Archive, file: ClientFile, entry: string): void {
  const { path: physicalPath, size, mtime, isDirectory, diskPath } = file
  const copy = isDirectory || diskPath === undefined ? undefined : tape.keep(diskPath)
  const btime = Math.floor(clock.now() / 1_000)
  const values = { size, mtime, btime, physicalPath, volumes: [writtenVolume], copy }
  clock.after(indexDelayMs, () => {
    index.add(entry, { ...values, type: isDirectory ? 'Directory' : 'File' })
  })
}

/** Deletes an archived file, or a directory that is empty, if the plan says so. */
function deleteSource({ plan }: Archive, { isDirectory, diskPath }: ClientFile): void {
  const { deletesFiles, deletesAll } = plan
  if (!deletesAll && (isDirectory || !deletesFiles)) return
  if (diskPath !== undefined && isDirectory) {
    if (readdirSync(diskPath).length > 0) return
    rmdirSync(diskPath)
  } else if (diskPath !== undefined) rmSync(diskPath)
}
