import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { writeContent } from '#agent/simulator/options.ts'
import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { type Call, jsonOf } from '../calls/call.ts'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { type Generation, type IndexEntry, latestOf, pathOf } from '../contents/indexEntry.ts'
import { diskPathOf, hasDirectory } from '../contents/clientFiles.ts'
import { offlineVolume, type P5, reachableClient } from '../contents/p5.ts'
import type { Client } from '../contents/resources.ts'
import { type JobFile, type JobLimits, processEach } from './jobs.ts'

const Selection = z.strictObject({
  entries: z.array(z.strictObject({ ID: z.string(), targetPath: z.string().optional() })).min(1),
  description: z.string().optional(),
})

/** A file or directory to restore, and its path on the client. */
type Restored = { entry: IndexEntry; path: string }

/** `POST restore/restoreselections`: one job for all entries, with all below them. Searches are not simulated. */
export function submitRestore(p5: P5, call: Call): Answer {
  const { jobs } = p5
  const client = reachableClient(p5, call.parameter('client'))
  const relocate = call.parameter('relocate')
  if (relocate !== undefined && !hasDirectory(client, relocate))
    throw refused(500, `No directory "${relocate}" on client "${client.name}"`)
  const { entries, description = 'REST Restore job' } = jsonOf(call, Selection)
  const found = entries.map(({ ID, targetPath }) => ({ ...entryOf(p5, ID), targetPath: checkedTarget(targetPath) }))
  const restored = found.flatMap(({ index, entry, targetPath }) => {
    const top = targetPath !== undefined ? `${relocate ?? ''}/${targetPath}` : topOf(entry, relocate)
    return [entry, ...index.entries(entry)].map((each) => ({
      entry: each,
      path: top + `/${pathOf(each)}`.slice(pathOf(entry).length + 1),
    }))
  })
  const volumes = new Set(restored.flatMap(({ entry }) => latestOf(entry).volumes))
  const job = jobs.submit(
    {
      kind: 'Restore',
      title: description,
      isScheduled: call.parameter('time') !== 'now',
    },
    { waitsFor: () => offlineVolume(p5, volumes), process: (limits) => restoreFiles(client, restored, limits) },
  )
  return answered({ ID: job.id, links: [] })
}

/** Entry of a handle. Throws the answer to an unknown one. */
function entryOf({ indexes }: P5, handle: string): { index: ArchiveIndex; entry: IndexEntry } {
  for (const index of indexes.values()) {
    const entry = index.find(index.handles.pathOf(handle) ?? '')
    if (entry?.parent) return { index, entry }
  }
  throw refused(500, `Cannot resolve handle "${handle}": unknown entry`)
}

/** A relative path that stays in its folder. */
function checkedTarget(path: string | undefined): string | undefined {
  const isWrong = path === '' || path?.startsWith('/') || path?.split('/').includes('..')
  if (isWrong) throw refused(500, `Invalid target path "${path}"`)
  return path
}

/** Path of a restored entry: under its own name in another folder, or where it was. */
function topOf(entry: IndexEntry, relocate: string | undefined): string {
  if (relocate !== undefined) return `${relocate.replace(/\/+$/, '')}/${entry.name}`
  return latestOf(entry).physicalPath ?? `/${pathOf(entry)}`
}

/** Restores the latest generation of files. A file replaces one of the same path. Directories are restored unless a limit ends the job before. */
function restoreFiles(client: Client, restored: Restored[], limits: JobLimits): JobFile[] {
  if (!client.isOnline) throw new Error(`Client "${client.name}" does not respond`)
  if (limits.maxFiles > 0) for (const { entry, path } of restored) if (entry.children) makeFolder(client, path)
  const files = restored
    .filter(({ entry }) => !entry.children)
    .map(({ entry, path }) => ({ path, size: latestOf(entry).size, latest: latestOf(entry) }))
  return processEach(files, limits, ({ path, latest }) => writeFile(client, path, latest))
}

function makeFolder(client: Client, path: string): void {
  const folder = diskPathOf(client, path)
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  else if (client.folders) throw new Error(`Cannot write "${path}" on client "${client.name}"`)
}

function writeFile(client: Client, path: string, { copy, size, mtime }: Generation): void {
  makeFolder(client, dirname(path))
  const file = diskPathOf(client, path)
  if (file !== undefined) writeContent(file, { content: copy, size, modified: mtime })
}
