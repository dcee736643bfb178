import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dirname as parentOf } from 'node:path/posix'

/** A file of a storage. `modifiedAt` in milliseconds since 1970; the checksum is the MD5 of the content. */
export type StoredFile = { size: number; modifiedAt: number; checksum: string; content: Buffer }

/** Files and folders of a storage, by absolute path. */
export type Tree = {
  get(path: string): StoredFile | undefined
  isDirectory(path: string): boolean
  addDirectory(path: string): void
  /** Writes a file, with the folders above it. */
  put(path: string, file: StoredFile): void
  remove(path: string): void
  /** Names of the folders in a folder. */
  folders(path: string): string[]
  /** Paths of all files below a folder, sorted. */
  below(path: string): string[]
}

export function newFile(content: string | Buffer, modifiedAt: number): StoredFile {
  const bytes = Buffer.from(content)
  return { size: bytes.length, modifiedAt, checksum: createHash('md5').update(bytes).digest('hex'), content: bytes }
}

/** Path of an entry of a folder, which may be the root. */
export const pathIn = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`

/** True for a path below a folder. */
const isBelow = (path: string, folder: string): boolean => path.startsWith(folder === '/' ? '/' : `${folder}/`)

export function newMemoryTree(): Tree {
  const files = new Map<string, StoredFile>()
  const directories = new Set(['/'])
  const addDirectory = (path: string): void => {
    if (directories.has(path)) return
    directories.add(path)
    addDirectory(parentOf(path))
  }
  return {
    get: (path) => files.get(path),
    isDirectory: (path) => directories.has(path),
    addDirectory,
    put(path, file) {
      files.set(path, file)
      addDirectory(parentOf(path))
    },
    remove: (path) => void files.delete(path),
    folders: (path) =>
      [...directories]
        .filter((directory) => directory !== '/' && parentOf(directory) === path)
        .map((directory) => directory.slice(directory.lastIndexOf('/') + 1)),
    below: (path) => [...files.keys()].filter((file) => isBelow(file, path)).sort(),
  }
}

/** Files in a folder of this machine. */
export function newDiskTree(folder: string): Tree {
  const onDisk = (path: string) => join(folder, ...path.split('/').filter((name) => name !== '..'))
  const statsOf = (path: string) => lstatSync(onDisk(path), { throwIfNoEntry: false })
  return {
    get(path) {
      const stats = statsOf(path)
      return stats?.isFile() ? newFile(readFileSync(onDisk(path)), Math.round(stats.mtimeMs)) : undefined
    },
    isDirectory: (path) => statsOf(path)?.isDirectory() ?? false,
    addDirectory: (path) => void mkdirSync(onDisk(path), { recursive: true }),
    put(path, { content, modifiedAt }) {
      mkdirSync(dirname(onDisk(path)), { recursive: true })
      writeFileSync(onDisk(path), content)
      utimesSync(onDisk(path), modifiedAt / 1_000, modifiedAt / 1_000)
    },
    remove: (path) => rmSync(onDisk(path), { force: true }),
    folders: (path) =>
      existsSync(onDisk(path))
        ? readdirSync(onDisk(path), { withFileTypes: true })
            .filter((entry) => entry.isDirectory())
            .map(({ name }) => name)
        : [],
    below: (path) =>
      readdirSync(onDisk(path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `/${join(entry.parentPath, entry.name).slice(folder.length + 1)}`)
        .sort(),
  }
}
