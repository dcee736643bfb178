import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readLines, recordOf } from '../../sortedRecords.ts'
import type { IndexEntry } from '../entries.ts'
import type { EntryFacts } from '../unconfirmed.ts'

/** A dump can't be used. The message is the reason, which follows 'all of the index was read: '. */
export class DumpUnusable extends Error {}

/** An entry as it was listed, in the folder '' or one such as '/a/b'. */
export type KnownEntry = EntryFacts & { folder: string; name: string; isDirectory: boolean }
export type Packed = [
  folder: string,
  name: string,
  0 | 1,
  size: number,
  modified: number,
  archived: number,
  volumes: string,
]

/** Sorts entries by folder. JSON has no control characters, so a folder is before those whose names it begins. */
export const keyOf = ({ folder, name }: Pick<KnownEntry, 'folder' | 'name'>): string =>
  `${folderKey(folder)}\u0002${JSON.stringify(name)}`
export const folderKey = (folder: string): string => JSON.stringify(folder).slice(1, -1)

/** The record of an entry in a file. */
export const packedOf = (folder: string, { name, isDirectory, ...entry }: IndexEntry): Packed => [
  folder,
  name,
  isDirectory ? 1 : 0,
  entry.size,
  entry.modified,
  entry.archived,
  entry.volumeIds.toSorted().join(' '),
]

/** The entry of a line. */
export function knownIn(line: string): KnownEntry {
  const [folder, name, isDirectory, size, modified, archived, volumes] = recordOf<Packed>(line)
  return { folder, name, isDirectory: isDirectory === 1, size, modified, archived, volumes }
}

/** Lines that are written at once. */
const linesAtOnce = 2_000
/** The line after all entries is `end` and their number. */
const end = 'end '

/** Files with the entries of a storage's last scan, in the agent's folder. The baseline of a scan is the name of its file. */
export function newKnownIndex(state: string, product: string, volumeId: number) {
  const folder = join(state, 'p5', product)
  const prefix = `${volumeId}-`
  return {
    /** True for a baseline that is the name of such a file. */
    isName: (baseline: string) => baseline.startsWith(prefix) && /^[\d-]+[\da-f-]{36}$/.test(baseline),
    /** Throws `DumpUnusable` if there is no file of this name. */
    check: (name: string) => closeSync(openKnown(join(folder, name))),
    /** Lines of a file. Throws `DumpUnusable` unless it is complete. */
    *lines(name: string): Generator<string> {
      const file = openKnown(join(folder, name))
      try {
        let count = 0
        let last = ''
        for (const line of readLines(() => file, { from: 0, to: fstatSync(file).size })) {
          if (count++ > 0) yield last
          last = line
        }
        if (last !== `${end}${count - 1}`) throw new DumpUnusable('the list of the last scan is incomplete')
      } finally {
        closeSync(file)
      }
    },
    /** Writes a new file and returns its name. Throws `DumpUnusable` if it can't be written. */
    async write(lines: Iterable<string>, signal: AbortSignal): Promise<string> {
      const name = prefix + randomUUID()
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = await open(join(folder, name), 'wx', 0o600)
        await writeLines(file, lines, signal).finally(() => file.close())
        return name
      } catch (error) {
        signal.throwIfAborted()
        await rm(join(folder, name), { force: true }).catch(() => undefined)
        throw new DumpUnusable(`${folder} can't be written (${(error as NodeJS.ErrnoException).code})`)
      }
    },
    /** Removes all other files of the storage. */
    async keepOnly(kept: readonly (string | undefined)[]): Promise<void> {
      const names = await readdir(folder).catch(() => [])
      for (const name of names)
        if (name.startsWith(prefix) && !kept.includes(name))
          await rm(join(folder, name), { force: true }).catch(() => {})
    },
  }
}

async function writeLines(file: FileHandle, lines: Iterable<string>, signal: AbortSignal): Promise<void> {
  let count = 0
  let waiting: string[] = []
  for (const line of lines) {
    waiting.push(line)
    if (++count % linesAtOnce > 0) continue
    await file.appendFile(`${waiting.join('\n')}\n`)
    waiting = []
    await setImmediate()
    signal.throwIfAborted()
  }
  await file.appendFile(`${[...waiting, end + count].join('\n')}\n`)
}

function openKnown(path: string): number {
  try {
    return openSync(path, 'r')
  } catch {
    throw new DumpUnusable('the agent has no list of the last scan')
  }
}
