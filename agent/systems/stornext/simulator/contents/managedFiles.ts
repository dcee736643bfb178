import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { type ContentFolder, writeContent } from '#agent/simulator/options.ts'
import { diskPathOf } from '#agent/systems/archiware/simulator/contents/clientFiles.ts'
import { followDisk, type ManagedFile, newFile, type NewFile } from './managedFile.ts'

export type FileOptions = {
  now: () => number
  /** Folders of this machine by the paths of the server, such as {'/stornext/snfs1': '/tmp/files'}. */
  folders: Record<string, string>
  /** Content of stored files. */
  tape: ContentFolder
}

/** Files of a server: in memory, or in folders of this machine. */
export class ManagedFiles {
  readonly #options: FileOptions
  readonly #files = new Map<string, ManagedFile>()
  readonly #directories = new Set<string>()

  constructor(options: FileOptions) {
    this.#options = options
  }

  all(): ManagedFile[] {
    return [...this.#files.values()]
  }

  add(path: string, values: NewFile = {}): ManagedFile {
    const file = { ...newFile(path, this.#options.now()), ...values }
    this.#files.set(path, file)
    return file
  }

  addDirectory(path: string): void {
    this.#directories.add(path)
  }

  /** A file, also a deleted one. */
  get(path: string): ManagedFile | undefined {
    const file = this.#files.get(path)
    const disk = this.#diskPath(path)
    return disk === undefined ? file : followDisk(disk, file, (values) => this.add(path, values))
  }

  hasDirectory(path: string): boolean {
    const disk = this.#diskPath(path)
    if (disk !== undefined) return lstatSync(disk, { throwIfNoEntry: false })?.isDirectory() ?? false
    if (this.#directories.has(path)) return true
    return [...this.#files.keys(), ...this.#directories].some((known) => known.startsWith(`${path}/`))
  }

  /** Changes a file on disk, so that its tape copies become invalid. */
  change(path: string, { size, modifiedAt }: { size?: number; modifiedAt?: number } = {}): void {
    const file = this.#files.get(path) ?? this.add(path)
    const state = { size: size ?? file.size, modifiedAt: modifiedAt ?? this.#options.now() }
    Object.assign(file, { ...state, isOnDisk: true, copies: [] })
  }

  /** Deletes a file of the file system. */
  remove(path: string): void {
    const file = this.#files.get(path)
    if (file) file.isDeleted = true
  }

  /** MD5 of a file. */
  checksum(file: ManagedFile): string {
    const disk = this.#diskPath(file.path)
    const content = disk === undefined ? `${file.path} ${file.size} ${file.modifiedAt}` : readFileSync(disk)
    return createHash('md5').update(content).digest('hex')
  }

  /** Keeps the content of a file when it is written to tape. */
  keepContent(file: ManagedFile): void {
    const disk = this.#diskPath(file.path)
    if (disk !== undefined) file.content = this.#options.tape.keep(disk)
  }

  /** Leaves only an empty file of the same size and time on disk. */
  truncate(file: ManagedFile): void {
    this.#write({ ...file, content: undefined }, file.path)
    file.isOnDisk = false
  }

  /** Brings a file back in place. */
  bringBack(file: ManagedFile): void {
    this.#write(file, file.path)
    file.isOnDisk = true
  }

  /** Writes a file at another path. */
  writeTo(file: ManagedFile, path: string): void {
    this.#write(file, path)
    this.add(path, { size: file.size, modifiedAt: file.modifiedAt })
  }

  /** Writes a file to a folder of this machine: its content, or zeros without one. */
  #write({ content, size, modifiedAt }: ManagedFile, path: string): void {
    const disk = this.#diskPath(path)
    if (disk !== undefined) writeContent(disk, { content, size, modified: modifiedAt / 1_000 })
  }

  #diskPath(path: string): string | undefined {
    return diskPathOf({ folders: this.#options.folders }, path)
  }
}
