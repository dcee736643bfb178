import { compareTrees, type Entry } from './compareTrees.ts'
import type { Snapshot } from './snapshots.ts'
import type { Switches } from './switches.ts'
import { kinds, linOf } from './tree/inodes.ts'
import { namesOf } from './tree/names.ts'

export type Changelist = { olderId: number; newerId: number; entries: Entries }

/** Entries in the order of the list. */
type Entries = { length: number; slice(from?: number, to?: number): readonly Entry[] }

export type Changelists = ReturnType<typeof newChangelists>

/** Changelists that jobs have built. They stay when their snapshots are deleted. */
export function newChangelists(switches: Switches) {
  let changelists: Changelist[] = []
  return {
    all: (): readonly Changelist[] => changelists,
    find: (olderId: number, newerId: number) =>
      changelists.find((changelist) => changelist.olderId === olderId && changelist.newerId === newerId),
    /** Entries of all lists that are built from now on, instead of those of their trees. None is kept in memory. */
    generated: undefined as { count: number; entryAt(index: number): Entry } | undefined,
    build(older: Snapshot, newer: Snapshot): void {
      const entries = this.generated
        ? generatedEntries(this.generated)
        : compareTrees(older.view, newer.view, namesOf(older.path).slice(1), switches)
      changelists.push({ olderId: older.id, newerId: newer.id, entries })
    },
    delete: (changelist: Changelist) => void (changelists = changelists.filter((other) => other !== changelist)),
  }
}

const generatedEntries = ({ count, entryAt }: NonNullable<Changelists['generated']>): Entries => ({
  length: count,
  slice: (from = 0, to = count) =>
    Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, i) => entryAt(from + i)),
})

/** Returns a function that writes entries as JSON, with one character for each byte of their paths. */
export function entryWriter({ unresolvedPathEvery, unresolvedPathOf, unresolvedPathAs }: Switches) {
  const isUnresolved = ({ index, flags, path }: Entry) =>
    index % unresolvedPathEvery === 0 && path !== '' && (unresolvedPathOf === 'all' || flags.includes('ENTRY_ADDED'))
  return (entry: Entry): string => {
    const { index, inode, parent, isRemoved, ordinal, flags, path } = entry
    const pathAs = isUnresolved(entry) ? unresolvedPathAs : 'path'
    const id = BigInt(linOf(index)) * 16n + BigInt(ordinal) + (isRemoved ? 2n ** 61n : 0n)
    const time = (seconds: number) => `{"sec":${seconds},"nsec":0}`
    return (
      `{"id":"${id}","lin":${linOf(index)},"parent_lin":${linOf(parent)},` +
      (pathAs === 'missing' ? '' : `"path":${JSON.stringify(pathAs === 'path' ? path : '')},`) +
      `"file_type":"${isRemoved ? '(REMOVED)' : kinds[inode.kind].fileType}",` +
      `"change_types":${JSON.stringify(pathAs === 'flagged' ? [...flags, 'ENTRY_PATH_LOOKUP_REQ'] : flags)},` +
      `"size":${inode.size},"physical_size":${inode.size},"uid":${inode.uid},"gid":${inode.gid},` +
      `"atime":${time(inode.atime)},"btime":${time(inode.btime)},"ctime":${time(inode.ctime)},"mtime":${time(inode.mtime)}}`
    )
  }
}
