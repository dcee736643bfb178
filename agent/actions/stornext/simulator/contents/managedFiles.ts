import { createHash } from 'node:crypto'
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { diskPathOf } from '#agent/systems/archiware/simulator/contents/clientFiles.ts'

/** One copy of a file on tape. Large files have several segments, each with its checksum (MD5). */
export type TapeCopy = { copy: number; mediaId: string; startBlock: number; checksums: string[] }

/** A file of a managed file system. `modifiedAt` in milliseconds since 1970. */
export type ManagedFile = {
  path: string
  size: number
  modifiedAt: number
  isOnDisk: boolean
  /** On another storage system, not on tapes. */
  isForeign: boolean
  /** Removed from the file system. Its tape copies remain. */
  isDeleted: boolean
  copies: TapeCopy[]
  /** Content on this machine, of a file in a mapped folder that has tape copies. */
  content: string | undefined
}

export type NewFile = Partial<Omit<ManagedFile, 'path' | 'content'>>

export type ManagedFiles = ReturnType<typeof newManagedFiles>

export type FileOptions = {
  now: () => number
  /** Folders of this machine by the paths of the server, such as {'/stornext/snfs1': '/tmp/files'}. */
  folders: Record<string, string>
  /** Folder of this machine with the content of stored files. */
  tapeFolder: () => string
}

/** Files of a server: in memory, or in folders of this machine. */
export function newManagedFiles({ now, folders, tapeFolder }: FileOptions) {
  const files = new Map<string, ManagedFile>()
  const directories = new Set<string>()
  const diskPath = (path: string) => diskPathOf({ folders }, path)
  const add = (path: string, values: NewFile = {}): ManagedFile => {
    const file = { ...newFile(path, now()), ...values }
    files.set(path, file)
    return file
  }
  const remember = (path: string) => {
    const file = files.get(path)
    const disk = diskPath(path)
    return disk === undefined ? file : followDisk(disk, file, (values) => add(path, values))
  }
  const writeBack = (file: ManagedFile, path: string) => {
    const disk = diskPath(path)
    if (disk === undefined) return
    mkdirSync(dirname(disk), { recursive: true })
    if (file.content === undefined) writeFileSync(disk, '')
    else copyFileSync(file.content, disk)
    if (file.content === undefined) truncateSync(disk, file.size)
    utimesSync(disk, file.modifiedAt / 1_000, file.modifiedAt / 1_000)
  }
  return {
    all: () => [...files.values()],
    add,
    addDirectory: (path: string) => void directories.add(path),
    /** A file, also a deleted one. */
    get: remember,
    /** Files below a directory, by path. */
    below(directory: string, isRecursive: boolean): ManagedFile[] {
      const disk = diskPath(directory)
      if (disk !== undefined && existsSync(disk)) for (const name of namesBelow(disk)) remember(`${directory}/${name}`)
      const paths = [...files.keys()].filter((path) => path.startsWith(`${directory}/`)).sort()
      return paths
        .filter((path) => isRecursive || !path.slice(directory.length + 1).includes('/'))
        .flatMap((path) => remember(path) ?? [])
        .filter(({ isDeleted }) => !isDeleted)
    },
    hasDirectory(path: string): boolean {
      const disk = diskPath(path)
      if (disk !== undefined) return lstatSync(disk, { throwIfNoEntry: false })?.isDirectory() ?? false
      return directories.has(path) || [...files.keys(), ...directories].some((known) => known.startsWith(`${path}/`))
    },
    /** Changes a file on disk, so that its tape copies become invalid. */
    change(path: string, { size, modifiedAt = now() }: { size?: number; modifiedAt?: number } = {}): void {
      const file = files.get(path) ?? add(path)
      Object.assign(file, { size: size ?? file.size, modifiedAt, isOnDisk: true, copies: [] })
    },
    /** Deletes a file of the file system. */
    remove(path: string): void {
      const file = files.get(path)
      if (file) file.isDeleted = true
    },
    /** MD5 of each segment. */
    checksums(file: ManagedFile, segments: number): string[] {
      const disk = diskPath(file.path)
      const content = disk === undefined ? `${file.path} ${file.size} ${file.modifiedAt}` : readFileSync(disk)
      return Array.from({ length: segments }, (_, i) =>
        createHash('md5')
          .update(content)
          .update(i === 0 ? '' : String(i))
          .digest('hex'),
      )
    },
    /** Keeps the content of a file when it is written to tape. */
    keepContent(file: ManagedFile): void {
      const disk = diskPath(file.path)
      if (disk === undefined) return
      file.content ??= join(tapeFolder(), String(readdirSync(tapeFolder()).length))
      copyFileSync(disk, file.content, constants.COPYFILE_FICLONE)
    },
    /** Leaves only an empty file of the same size and time on disk. */
    truncate(file: ManagedFile): void {
      const disk = diskPath(file.path)
      if (disk !== undefined) writeBack({ ...file, content: undefined }, file.path)
      file.isOnDisk = false
    },
    /** Brings a file back in place. */
    bringBack(file: ManagedFile): void {
      writeBack(file, file.path)
      file.isOnDisk = true
    },
    /** Writes a file at another path. */
    writeTo(file: ManagedFile, path: string): void {
      writeBack(file, path)
      add(path, { size: file.size, modifiedAt: file.modifiedAt })
    },
  }
}

const newFile = (path: string, modifiedAt: number): ManagedFile => ({
  path,
  size: 1_000,
  modifiedAt,
  isOnDisk: true,
  isForeign: false,
  isDeleted: false,
  copies: [],
  content: undefined,
})

/** Current state of a file that is in a folder of this machine. Its tape copies are invalid if its size or time changed. */
function followDisk(
  disk: string,
  file: ManagedFile | undefined,
  add: (values: NewFile) => ManagedFile,
): ManagedFile | undefined {
  const stats = lstatSync(disk, { throwIfNoEntry: false })
  if (!stats?.isFile()) {
    if (file) file.isDeleted = true
    return file
  }
  const state = { size: stats.size, modifiedAt: Math.round(stats.mtimeMs) }
  if (!file) return add(state)
  const isSame = file.size === state.size && Math.abs(file.modifiedAt - state.modifiedAt) < 2
  if (!isSame) Object.assign(file, { ...state, isOnDisk: true, copies: [], content: undefined })
  file.isDeleted = false
  return file
}

const namesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
