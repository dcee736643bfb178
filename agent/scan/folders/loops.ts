import { isFolder, modifiedOf, type Statx } from '../../systems/local/statx.ts'
import { isServed } from '../../systems/local/mounts.ts'
import type { FolderSystem } from '../../systems/local/index.ts'
import type { Folder } from './folderStack.ts'

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

export type LoopFinder = {
  /** Returns the path of the ancestor that a folder is the same as; undefined if there is no such ancestor. Makes calls one after another. */
  find(folder: Folder, modified: number): string | undefined
  /** Returns names of folders. A folder that contains none of them is not its own ancestor. */
  signs(folder: Folder, modified: number): string[]
}

/**
 * Finds loops. An ancestor with the same time of change, or with the same name, is the same folder if the path from it can be repeated again
 * and again.
 */
export function newLoopFinder(system: Pick<FolderSystem, 'entry'>): LoopFinder {
  const times = new Map<string, number | undefined>()
  const timeOf = (path: string): number | undefined => {
    if (times.has(path)) return times.get(path)
    if (times.size >= remembered) times.clear()
    const stat = statOf(system, path)
    const time = stat && modifiedOf(stat)
    times.set(path, time)
    return time
  }
  const isRepeatable = (ancestor: string, step: string, modified: number): boolean => {
    for (let n = 2, path = ancestor + step; n <= repetitions; n++) {
      path += step
      if (path.length > maxTriedLength) return n > repetitions / 2
      const stat = statOf(system, path)
      if (!stat || !isFolder(stat) || modifiedOf(stat) !== modified) return false
    }
    return true
  }
  /** Ancestors that are like a folder, each with the path from it. */
  function* alike({ parentPath, name }: Folder, modified: number): Generator<[ancestor: string, step: string]> {
    const path = parentPath + name
    for (let end = parentPath.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      const ancestor = path.slice(0, end)
      if (timeOf(ancestor) === modified || ancestor.endsWith(`/${name}`)) yield [ancestor, path.slice(end)]
    }
  }
  return {
    find(folder, modified) {
      for (const [ancestor, step] of alike(folder, modified))
        if (isRepeatable(ancestor, step, modified)) return ancestor === '' ? '/' : ancestor
      return undefined
    },
    signs(folder, modified) {
      const steps = Array.from(alike(folder, modified), ([, step]) => step.split('/', 2)[1] as string)
      return [...new Set(steps)]
    },
  }
}

/** The details of an entry; undefined if it can't be looked up: then it repeats nothing. */
function statOf(system: Pick<FolderSystem, 'entry'>, path: string): Statx | undefined {
  try {
    const entry = system.entry(path)
    return entry?.error === undefined ? entry?.stat : undefined
  } catch {
    return undefined
  }
}
