import { type Dir, type Dirent, opendirSync } from 'node:fs'
import { nameFromBytes } from '#events/odd-names.ts'
import { type Entry, NotThere } from '../system.ts'
import { isGone } from './failures.ts'
import type { Owners } from './owners.ts'
import { beginningOf, type DiskPath, joined } from './paths.ts'
import { readEntry } from './readEntry.ts'

/** How many names are read at once: enough to be as quick as all at once, and a folder of millions stays small. */
const bufferSize = 256
/** How many names of a folder are kept in mind to notice one that comes again. */
const keptInMind = 100_000

/** Node shows a byte that is not UTF-8 as U+FFFD; names with that character, or with ours for such bytes, need their bytes. */
const odd = /[\ufffd\uef80-\uefff]/

/** What lies in a folder. Odd names are read in a second round, as bytes. */
export function* listFolder(folder: DiskPath, parentPath: string, owners: Owners): Generator<Entry> {
  const beginning = beginningOf(folder)
  let hasOdd = false
  for (const found of namesIn<string>(folder, 'utf8')) {
    const { name } = found
    if (odd.test(name)) hasOdd = true
    else {
      const entry = readEntry({ parentPath, name, disk: joined(beginning, name) }, owners, found)
      if (entry) yield entry
    }
  }
  if (!hasOdd) return
  for (const found of namesIn<Buffer>(folder, 'buffer')) {
    if (!odd.test(found.name.toString('utf8'))) continue
    const name = nameFromBytes(found.name)
    const entry = readEntry({ parentPath, name, disk: joined(beginning, found.name) }, owners, found)
    if (entry) yield entry
  }
}

type Found<Name> = Omit<Dirent, 'name'> & { name: Name }

/** Each name once: some file systems give one again that is replaced while they are read. */
function* namesIn<Name extends DiskPath>(folder: DiskPath, encoding: 'utf8' | 'buffer'): Generator<Found<Name>> {
  const opened = open<Name>(folder, encoding)
  const seen = new Set<string>()
  try {
    for (let found = opened.readSync(); found !== null; found = opened.readSync()) {
      const name = typeof found.name === 'string' ? found.name : found.name.toString('latin1')
      if (seen.has(name)) continue
      if (seen.size < keptInMind) seen.add(name)
      yield found
    }
  } finally {
    opened.closeSync()
  }
}

type Opened<Name> = Omit<Dir, 'readSync'> & { readSync(): Found<Name> | null }

/** The declared types know neither paths nor names of bytes, which work. */
function open<Name>(folder: DiskPath, encoding: 'utf8' | 'buffer'): Opened<Name> {
  const options = { encoding: encoding as BufferEncoding, bufferSize }
  try {
    return opendirSync(folder as string, options) as unknown as Opened<Name>
  } catch (error) {
    throw isGone(error) ? new NotThere(String(folder), { cause: error }) : error
  }
}
