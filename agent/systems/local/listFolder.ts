import { type Dir, type Dirent, opendirSync } from 'node:fs'
import { nameFromBytes } from '#events/odd-names.ts'
import { type Entry, NotThere } from '../system.ts'
import { isGone } from './failures.ts'
import type { Owners } from './owners.ts'
import { beginningOf, type DiskPath, joined } from './paths.ts'
import { readEntry } from './readEntry.ts'

/** How many names are read at once: enough to be as quick as all at once, and a folder of millions stays small. */
const bufferSize = 256

/** Node shows a byte that is not UTF-8 as U+FFFD; names with that character, or with ours for such bytes, need their bytes. */
const odd = /[\ufffd\uef80-\uefff]/

/** What lies in a folder. Odd names are read in a second round, as bytes. */
export function* listFolder(folder: DiskPath, parentPath: string, owners: Owners): Generator<Entry> {
  const beginning = beginningOf(folder)
  const opened = open<string>(folder, 'utf8')
  let hasOdd = false
  try {
    for (let found = opened.readSync(); found !== null; found = opened.readSync()) {
      if (odd.test(found.name)) hasOdd = true
      else {
        const entry = readEntry({ parentPath, name: found.name, disk: joined(beginning, found.name) }, owners, found)
        if (entry) yield entry
      }
    }
  } finally {
    opened.closeSync()
  }
  if (hasOdd) yield* listOddNames(folder, parentPath, owners)
}

function* listOddNames(folder: DiskPath, parentPath: string, owners: Owners): Generator<Entry> {
  const beginning = beginningOf(folder)
  const opened = open<Buffer>(folder, 'buffer')
  try {
    for (let found = opened.readSync(); found !== null; found = opened.readSync()) {
      if (!odd.test(found.name.toString('utf8'))) continue
      const name = nameFromBytes(found.name)
      const entry = readEntry({ parentPath, name, disk: joined(beginning, found.name) }, owners, found)
      if (entry) yield entry
    }
  } finally {
    opened.closeSync()
  }
}

type Opened<Name> = Omit<Dir, 'readSync'> & { readSync(): (Omit<Dirent, 'name'> & { name: Name }) | null }

/** The declared types know neither paths nor names of bytes, which work. */
function open<Name>(folder: DiskPath, encoding: 'utf8' | 'buffer'): Opened<Name> {
  try {
    return opendirSync(folder as string, {
      encoding: encoding as BufferEncoding,
      bufferSize,
    }) as unknown as Opened<Name>
  } catch (error) {
    throw isGone(error) ? new NotThere(String(folder), { cause: error }) : error
  }
}
