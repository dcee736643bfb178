import { constants, copyFileSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { latestOf } from '../contents/indexEntry.ts'
import { type ClientFile, filesAt, splitPath } from '../contents/clientFiles.ts'
import type { P5 } from '../contents/p5.ts'
import type { Client, Plan } from '../contents/resources.ts'
import type { JobFile } from './jobs.ts'

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
export type RequestedPath = { path: string; sent: string; metadata: Record<string, string> }

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

type FoundFile = { file: ClientFile; entry: string; metadata: Record<string, string>; isSkipped: boolean }

/** Archives all files but the last ones, and deletes the sources if the plan says so. */
export function archiveFiles(archive: Archive, requests: RequestedPath[], skipped: number): JobFile[] {
  if (!archive.client.isOnline) throw new Error(`Client "${archive.client.name}" does not respond`)
  const found = findFiles(archive, requests)
  const files = found.filter(({ file }) => !file.isDirectory)
  for (const file of files.slice(Math.max(0, files.length - skipped))) file.isSkipped = true
  const archived = found.filter(({ isSkipped }) => !isSkipped)
  for (const each of archived) addLater(archive, each)
  for (const { file } of archived.toReversed()) deleteSource(archive, file)
  return files.map(({ file, entry, isSkipped }) => {
    return { path: file.path, entry, size: file.size, result: isSkipped ? 'skipped' : 'done' }
  })
}

const findFiles = (archive: Archive, requests: RequestedPath[]): FoundFile[] =>
  requests.flatMap((request) =>
    filesAt(archive.client, request.path)
      .filter((file) => !isArchived(archive, file, request))
      .map((file) => {
        const entry = indexPath(archive, file.path, request)
        return { file, entry, metadata: request.metadata, isSkipped: false }
      }),
  )

/** Copies a file to tape. Its entry appears in the index after a delay. */
function addLater({ p5, plan, index }: Archive, { file, entry, metadata }: FoundFile): void {
  const { clock, behavior } = p5
  const { path: physicalPath, size, mtime, isDirectory, diskPath } = file
  const copy = isDirectory || diskPath === undefined ? undefined : copyToTape(p5.tape(), diskPath)
  const btime = Math.floor(clock.now() / 1_000)
  const values = { size, mtime, btime, physicalPath, volumes: [plan.volume], metadata, copy }
  clock.after(behavior.indexDelayMs, () => {
    index.add(entry, { ...values, type: isDirectory ? 'Directory' : 'File' })
  })
}

function copyToTape(tape: string, file: string): string {
  const copy = join(tape, String(readdirSync(tape).length))
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  return copy
}

/** Deletes an archived file, or a directory that is empty, if the plan says so. */
function deleteSource({ plan, client }: Archive, { path, isDirectory, diskPath }: ClientFile): void {
  const { deletesFiles, deletesAll } = plan
  if (!deletesAll && (isDirectory || !deletesFiles)) return
  if (diskPath !== undefined && isDirectory) {
    if (readdirSync(diskPath).length > 0) return
    rmdirSync(diskPath)
  } else if (diskPath !== undefined) rmSync(diskPath)
  client.onDelete?.(path)
}
