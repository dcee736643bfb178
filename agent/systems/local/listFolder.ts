import { type Dir, type Dirent, opendirSync } from 'node:fs'
import { nameFromBytes } from '#events/scans/names.ts'
import { type Entry, NotThere } from '../system.ts'
import { isGone } from './failures.ts'
import type { Owners } from './owners.ts'
import { beginningOf, type DiskPath, joined } from './paths.ts'
import { readEntry } from './readEntry.ts'

/** How many names are read at once: enough to be as quick as all at once, and a folder of millions stays small. */
const bufferSize = 256
/** How many names of a folder are remembered to notice one that comes again. */
const rememberedNames = 100_000

/** Node shows a byte that is not UTF-8 as U+FFFD; names with that character, or with ours for such bytes, need their bytes. */
const odd = /[\ufffd\uef80-\uefff]/

/** What lies in a folder. Odd names are read in a second round, as bytes. */
export function* listFolder(folder: DiskPath, parentPath: string, owners: Owners): Generator<Entry> {
  const beginning = beginningOf(folder)
  let hasOdd = false
  for (const listed of namesIn<string>(folder, 'utf8')) {
    const { name } = listed
    if (odd.test(name)) hasOdd = true
    else {
      const entry = readEntry({ parentPath, name, disk: joined(beginning, name) }, owners, listed)
      if (entry) yield entry
    }
  }
  if (!hasOdd) return
  for (const listed of namesIn<Buffer>(folder, 'buffer')) {
    if (!odd.test(listed.name.toString('utf8'))) continue
    const name = nameFromBytes(listed.name)
    const entry = readEntry({ parentPath, name, disk: joined(beginning, listed.name) }, owners, listed)
    if (entry) yield entry
  }
}

type NamedEntry<Name> = Omit<Dirent, 'name'> & { name: Name }

/** Each name once: some file systems give one again that is replaced while they are read. */
function* namesIn<Name extends DiskPath>(folder: DiskPath, encoding: 'utf8' | 'buffer'): Generator<NamedEntry<Name>> {
  const opened = open<Name>(folder, encoding)
  const seen = new Set<string>()
  try {
    for (let listed = opened.readSync(); listed !== null; listed = opened.readSync()) {
      const name = typeof listed.name === 'string' ? listed.name : listed.name.toString('latin1')
      if (seen.has(name)) continue
      if (seen.size < rememberedNames) seen.add(name)
      yield listed
    }
  } finally {
    opened.closeSync()
  }
}

type OpenedFolder<Name> = Omit<Dir, 'readSync'> & { readSync(): NamedEntry<Name> | null }

/** The declared types know neither paths nor names of bytes, which work. */
function open<Name>(folder: DiskPath, encoding: 'utf8' | 'buffer'): OpenedFolder<Name> {
  const options = { encoding: encoding as BufferEncoding, bufferSize }
  try {
    return opendirSync(folder as string, options) as unknown as OpenedFolder<Name>
  } catch (error) {
    throw isGone(error) ? new NotThere(String(folder), { cause: error }) : error
  }
}
