import type { FolderFiles } from './folderFiles.ts'

/** Folders whose files are held back at the same time; the memory of each may grow to some megabytes. */
const maxAtOnce = 4

/** Makes the digests of several folders at the same time, one of which is always listed at once. */
export class FilesPool {
  readonly #make: () => FolderFiles
  readonly #free: FolderFiles[] = []
  #used = 0

  constructor(make: () => FolderFiles) {
    this.#make = make
  }

  /** For a folder that `isAtOnce` recorded from its first entry to its last there is always one; undefined for others if too many are in use. */
  take(isAtOnce: boolean): FolderFiles | undefined {
    if (!isAtOnce && this.#used >= maxAtOnce - 1) return undefined
    this.#used++
    return this.#free.pop() ?? this.#make()
  }

  /** Its folder has ended. */
  give(files: FolderFiles): void {
    this.#used--
    this.#free.push(files)
  }
}
