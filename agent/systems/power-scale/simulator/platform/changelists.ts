import type { Switches } from '../switches.ts'
import { linOf, nanosecondsOf, kinds, physicalSizeOf } from '../tree/inodes.ts'
import { namesOf } from '../tree/names.ts'
import { compareTrees, type Entry } from './compareTrees.ts'
import type { Snapshot } from './snapshots.ts'

export type Changelist = {
  olderId: number
  newerId: number
  jobId: number
  rootPath: string
  entries: Entries
}

/** Entries in the order of the list. */
type Entries = { length: number; slice(from?: number, to?: number): readonly Entry[] }

/** Changelists that jobs have built. They stay when their snapshots are deleted. */
export class Changelists {
  readonly #switches: Switches
  #changelists: Changelist[] = []
  /** Entries of all lists that are built from now on, instead of those of their trees. None is kept in memory. */
  generated: { count: number; entryAt(index: number): Entry } | undefined

  constructor(switches: Switches) {
    this.#switches = switches
  }

  all(): readonly Changelist[] {
    return this.#changelists
  }

  find(olderId: number, newerId: number): Changelist | undefined {
    return this.#changelists.find((changelist) => changelist.olderId === olderId && changelist.newerId === newerId)
  }

  build(older: Snapshot, newer: Snapshot, jobId: number): void {
    const entries = this.generated
      ? generatedEntries(this.generated)
      : compareTrees(older.view, newer.view, namesOf(older.path).slice(1), this.#switches)
    this.#changelists.push({ olderId: older.id, newerId: newer.id, jobId, rootPath: older.path, entries })
  }

  delete(changelist: Changelist): void {
    this.#changelists = this.#changelists.filter((other) => other !== changelist)
  }
}

const generatedEntries = ({ count, entryAt }: NonNullable<Changelists['generated']>): Entries => ({
  length: count,
  slice: (from = 0, to = count) =>
    Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, i) => entryAt(from + i)),
})

/** Writes an entry of a changelist as JSON, with one character for each byte of its path. */
export function writeEntry(entry: Entry, pathAs: Switches['unresolvedPathAs'] | 'path'): string {
  const { index, inode, parent, isRemoved, ordinal, flags } = entry
  const isStream = flags.includes('ENTRY_ADS')
  const fileType = isRemoved ? '(REMOVED)' : isStream ? 'regular' : kinds[inode.kind].fileType
  const id = BigInt(linOf(index)) * 16n + BigInt(ordinal) + (isRemoved ? 2n ** 61n : 0n)
  const time = (seconds: number) => `{"sec":${seconds},"nsec":${nanosecondsOf(inode.index, seconds)}}`
  return (
    `{"id":"${id}","lin":${linOf(index)},"parent_lin":${linOf(parent)},` +
    (pathAs === 'missing' ? '' : `"path":${JSON.stringify(pathAs === 'path' ? entry.path : '')},`) +
    `"file_type":"${fileType}",` +
    `"change_types":${JSON.stringify(pathAs === 'flagged' ? [...flags, 'ENTRY_PATH_LOOKUP_REQ'] : flags)},` +
    `"size":${isStream ? 26 : inode.size},"physical_size":${physicalSizeOf(inode)},"uid":${inode.uid},"gid":${inode.gid},` +
    `"atime":${time(inode.atime)},"btime":${time(inode.btime)},"ctime":${time(inode.ctime)},"mtime":${time(inode.mtime)},` +
    `"data_pool":3,"metadata_pool":3,"user_flags":${isRemoved ? '[]' : '["inherit","writecache","wcinherit"]'}}`
  )
}

/** Writes a row of the older form, `lins`, without what has happened to it. */
export function writeLin({ index, inode, path }: Entry): string {
  const time = (seconds: number) => `{"sec":${seconds},"nsec":${nanosecondsOf(inode.index, seconds)}}`
  return (
    `{"id":"${linOf(index)}","path":${JSON.stringify(path)},"type":"${kinds[inode.kind].fileType}","size":${inode.size},` +
    `"atime":${time(inode.atime)},"ctime":${time(inode.ctime)},"mtime":${time(inode.mtime)}}`
  )
}
