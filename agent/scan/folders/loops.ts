import { isFolder, modifiedOf } from '../../systems/local/statx.ts'
import { isServed } from '../../systems/local/mounts.ts'
import type { FolderSystem } from '../../systems/local/index.ts'

/*
 * Finds folders that are their own ancestors. Only a server that follows links itself shows such folders, as `rclone mount -L`, sshfs with
 * `follow_symlinks` or Samba with wide links do. Device and inode may differ there, because some programs number paths instead of files.
 */

/** Returns whether a server may follow links in file systems of these types. */
export const mayLoop = (types: Iterable<string>): boolean => [...types].some(isServed)

/** Repetitions of the path from a folder to its copy that prove a loop, and characters of the longest path that is tried. */
const repetitions = 6
const maxTriedLength = 3_000
/** Folders whose times are remembered. */
const remembered = 10_000

export type LoopFinder = (folder: { parentPath: string; name: string }, modified: number) => string | undefined

/**
 * Returns the path of the ancestor that a folder is the same as; undefined if there is no such ancestor. An ancestor with the same time of change, or
 * with the same name, is the same folder if the path from it can be repeated again and again.
 */
export function newLoopFinder(system: Pick<FolderSystem, 'entry'>): LoopFinder {
  const times = new Map<string, number | undefined>()
  const timeOf = (path: string): number | undefined => {
    if (times.has(path)) return times.get(path)
    if (times.size >= remembered) times.clear()
    const entry = system.entry(path)
    const time = entry && entry.error === undefined ? modifiedOf(entry.stat) : undefined
    times.set(path, time)
    return time
  }
  const isRepeatable = (ancestor: string, step: string, modified: number): boolean => {
    for (let n = 2, path = ancestor + step; n <= repetitions; n++) {
      path += step
      if (path.length > maxTriedLength) return n > repetitions / 2
      const entry = system.entry(path)
      if (!entry || entry.error !== undefined || !isFolder(entry.stat)) return false
      if (modifiedOf(entry.stat) !== modified) return false
    }
    return true
  }
  return ({ parentPath, name }, modified) => {
    const path = parentPath + name
    for (let end = parentPath.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      const ancestor = path.slice(0, end)
      const isAlike = timeOf(ancestor) === modified || ancestor.endsWith(`/${name}`)
      if (isAlike && isRepeatable(ancestor, path.slice(end), modified)) return ancestor === '' ? '/' : ancestor
    }
    return undefined
  }
}
