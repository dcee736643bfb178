import { isUtf8 } from 'node:buffer'
import { type Dir, type Dirent, lstatSync, opendirSync, readlinkSync } from 'node:fs'
import { nameFromBytes } from '#events/contract/fileNames.ts'
import { type DiskEntry, giveError, giveName, type ListFolder, newDiskEntry } from './diskEntry.ts'
import { isGone, reason } from './failures.ts'
import { beginningOf, type DiskPath, joined } from './paths.ts'
import { newSeenNames } from './seenNames.ts'
import { fillStatx, isLink, toldKinds } from './statx.ts'

/** Number of names that are read at once: as fast as all at once, and a folder of millions takes little memory. */
const bufferSize = 256

/** Lists folders by Node's own calls, wherever it runs. */
export function nodeFolders(): ListFolder {
  const entry = newDiskEntry()
  const seen = newSeenNames()
  return ({ path }, show) => {
    const beginning = beginningOf(path)
    const opened = open(path)
    seen.clear()
    try {
      for (let listed = opened.readSync(); listed !== null; listed = opened.readSync()) {
        const { name } = listed
        if (!seen.isNew(name, 0, name.length)) continue
        // A text where the bytes are one: Node is quicker with it.
        if (!lookUp(entry, joined(beginning, isUtf8(name) ? name.toString() : name), listed)) continue
        giveName(entry, name)
        show(entry)
      }
    } finally {
      opened.closeSync()
    }
  }
}

/** Kind of an entry in a listing. */
type ListedKind = Pick<Dirent, 'isDirectory' | 'isSymbolicLink' | 'isFile'>

/** Looks an entry up without following it; whether it is there. The name is the caller's to give. */
export function lookUp(entry: DiskEntry, path: DiskPath, listed?: ListedKind): boolean {
  entry.error = undefined
  entry.linkTarget = ''
  try {
    // Numbers as bigint: inodes and times of some file systems are beyond what a double holds, and it costs the same.
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!stats) return false
    fillStatx(entry.stat, stats)
    if (isLink(entry.stat)) entry.linkTarget = targetOf(path)
    return true
  } catch (error) {
    if (isGone(error)) return false
    giveError(entry, kindOf(listed), reason(error))
    return true
  }
}

function kindOf(listed?: ListedKind): number {
  if (listed?.isDirectory()) return toldKinds.folder
  return listed?.isSymbolicLink() ? toldKinds.link : listed?.isFile() ? toldKinds.file : 0
}

function targetOf(disk: DiskPath): string {
  try {
    return nameFromBytes(readlinkSync(disk, { encoding: 'buffer' }))
  } catch {
    return ''
  }
}

type OpenedFolder = Omit<Dir, 'readSync'> & { readSync(): (ListedKind & { name: Buffer }) | null }

/** The declared types know neither paths nor names of bytes, which work. */
const open = (folder: DiskPath): OpenedFolder =>
  opendirSync(folder as string, { encoding: 'buffer' as BufferEncoding, bufferSize }) as unknown as OpenedFolder
