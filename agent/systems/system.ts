import type { EntryRow } from '#events/entry-row.ts'

/** An entry as a system gives it. With an error, the details could not be read: the size is -1. */
export type Entry = EntryRow & { error?: string | undefined }

/** Total, used and free bytes; free is what an ordinary user may still fill. */
export type Capacity = { total: number; used: number; free: number; fileSystem: string }

/** What a scan asks of a storage that has folders. Paths are '' for its root, else as '/a/b'. */
export type FolderSystem = {
  /** What lies in a folder, in any order. Throws `NotThere`, or an error that says why it cannot be listed to its end. */
  list(path: string): Iterable<Entry>
  /** One entry; undefined when there is none. */
  entry(path: string): Entry | undefined
}

/** A folder that vanished or is no folder any more. */
export class NotThere extends Error {}
