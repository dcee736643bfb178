import type { Root } from '../../systems/local/beneath.ts'

/** Receives what a watcher sees. */
export type SeenChanges = {
  /** Something in a folder changed, or the folder itself. `key` names the folder for as long as it is watched, wherever it moves. */
  folderChanged(key: string): void
  /** Changes were lost, for this reason, which is shown to users. The watcher reports no more of them. */
  lost(reason: string): void
}

/** Sees changes of the folders of a storage. Paths are '' for the root, else like '/a/b'. No call waits for a change. */
export type Watcher = {
  /** True if each folder needs a watch of its own, before it is listed. */
  needsEachFolder: boolean
  /** Reports all changes since the call before. */
  drain(): void
  /** Current paths of a folder; none if it is gone or not in the storage; undefined while it is not known where it moved. */
  pathsOf(key: string): string[] | undefined
  /** True if a folder of this inode is watched at this path. */
  isWatched(path: string, inode: number): boolean
  /** Watches a folder. Throws the error of the system, or `TooManyFolders`. */
  watch(root: Root, path: string): void
  /** Number of folders with a watch of their own. */
  folders(): number
  /** False if changes may have been lost because a file system was unmounted. */
  isWhole(): boolean
  /** Closes what `pathsOf` opened, so that no file system is kept from being unmounted. */
  release(): void
  close(): void
}

/** Changes of a storage can't be followed. The message has the reason, and what to do, in one line for users. */
export class NotFollowed extends Error {}

/** More folders than may be watched. */
export class TooManyFolders extends Error {}
