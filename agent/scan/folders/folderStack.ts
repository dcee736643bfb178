/** Folders within one folder: `parentPath` is that of an entry row. */
export type Folders = { parentPath: string; names: string[] }
export type Folder = { parentPath: string; name: string }

/** The folder of a path as orders give it: '' or '/a/b'. */
export function folderOf(path: string): Folder {
  const nameAt = path.lastIndexOf('/') + 1
  return { parentPath: path.slice(0, nameAt), name: path.slice(nameAt) }
}

export function foldersOf(path: string): Folders {
  const { parentPath, name } = folderOf(path)
  return { parentPath, names: [name] }
}

/** At most this many folders are shared at once. */
const sharedAtOnce = 256

/** The folders that a thread still has to list, deepest first, so that few are open at a time. */
export function newFolderStack() {
  const groups: Folders[] = []
  let size = 0
  return {
    size: () => size,
    push(folders: Folders) {
      if (folders.names.length === 0) return
      groups.push(folders)
      size += folders.names.length
    },
    pop(): Folder | undefined {
      const top = groups.at(-1)
      const name = top?.names.pop()
      if (!top || name === undefined) return undefined
      if (top.names.length === 0) groups.pop()
      size--
      return { parentPath: top.parentPath, name }
    },
    /** Depth of the oldest folders below the root. No other folder is less deep. */
    leastDepth: () => (groups[0]?.parentPath.split('/').length ?? 1) - 1,
    /** Takes out some of the oldest folders, which have most below them; undefined when there is only one. */
    share(): Folders | undefined {
      const oldest = groups[0]
      if (!oldest || size < 2) return undefined
      const names = oldest.names.splice(-Math.min(sharedAtOnce, Math.ceil(oldest.names.length / 2)))
      if (oldest.names.length === 0) groups.shift()
      size -= names.length
      return { parentPath: oldest.parentPath, names }
    },
  }
}
export type FolderStack = ReturnType<typeof newFolderStack>
