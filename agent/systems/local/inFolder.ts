import type { FileHandle } from 'node:fs/promises'
import { mkdir, open } from 'node:fs/promises'
import type { PlannedFile } from '#events/actions/files.ts'
import { ShownError } from '../system.ts'
import { asPlace, closeFolder, openFolderLater, pathOfOpen, type Root, rootOnDisk } from './beneath.ts'
import { whyNotIncluded } from './boundaries.ts'
import { beginningOf, type DiskPath, joined, onDiskName } from './paths.ts'

/** A file or folder of a storage of this machine, by its path from the storage's root: '/a/b'. */
export type StoragePath = { root: string; path: string; crossesFileSystems?: boolean | undefined }

/** A path leads out of its storage. The message is for users. */
export class OutsideStorage extends ShownError {}

/** A planned file in its storage, whose root is what its full path begins with. */
export const inStorage = ({ path, pathInStorage, crossesFileSystems }: PlannedFile): StoragePath =>
  path.endsWith(pathInStorage)
    ? { root: path.slice(0, path.length - pathInStorage.length), path: pathInStorage, crossesFileSystems }
    : { root: '', path, crossesFileSystems }

/**
 * Opens the folder of a file, and gives `use` a path for Node's calls that leads to the file in that folder, for as long as it runs. The file
 * itself may be a link. Throws `OutsideStorage` if its folder is not in the storage, or the error of the system.
 */
export async function inFolderOf<T>(file: StoragePath, use: (path: DiskPath) => Promise<T>): Promise<T> {
  const slash = file.path.lastIndexOf('/')
  const name = namesIn(file.path).at(-1) ?? ''
  return withRoot(file, async (root) => {
    const folder = file.path.slice(0, slash)
    const fd = await openIncluded(root, folder, file)
    try {
      return await use(joined(beginningOf(pathOfOpen(root, fd, folder)), onDiskName(name)))
    } finally {
      closeFolder(fd)
    }
  })
}

/** Creates a folder of a storage and those above it. Throws as `inFolderOf` does. */
export async function createFolder(folder: StoragePath): Promise<void> {
  const names = namesIn(folder.path)
  for (let count = 1; count <= names.length; count++) {
    const path = names
      .slice(0, count)
      .map((name) => `/${name}`)
      .join('')
    await inFolderOf({ ...folder, path }, (at) => mkdir(at as string)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Returns the names of a path from the root of a storage. Throws `OutsideStorage` for `.`, `..` and empty ones. */
export function namesIn(path: string): string[] {
  const names = path.split('/').slice(1)
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw new OutsideStorage(`${path} is not a path in a storage`)
  return names
}

async function withRoot<T>({ root: path }: StoragePath, use: (root: Root) => Promise<T>): Promise<T> {
  const handle: FileHandle = await open(rootOnDisk(path), asPlace)
  try {
    return await use({ fd: handle.fd, path })
  } finally {
    await handle.close()
  }
}

/** Opens a folder of a storage as the place of names; the caller closes it with `closeFolder`. Throws as `inFolderOf` does. */
export async function openIncluded(
  root: Root,
  path: string,
  { crossesFileSystems = false }: Pick<StoragePath, 'crossesFileSystems'> = {},
): Promise<number> {
  try {
    return await openFolderLater(root, path, asPlace, !crossesFileSystems)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') throw new OutsideStorage(`Its folder is now a link: ${await firstLink(root, path)}`)
    if (code !== 'EXDEV') throw error
    // A part of the same pool, as a subvolume is, belongs to the storage even where it is mounted.
    const reason = await whyNotIncluded(root.path || '/', path)
    if (reason !== undefined) throw new OutsideStorage(`Its folder is not included in the storage: ${reason}`)
    return openFolderLater(root, path, asPlace)
  }
}

/** The first folder on the way that is a link. */
async function firstLink(root: Root, path: string): Promise<string> {
  const names = path.split('/')
  for (let count = 2; count < names.length; count++) {
    const above = names.slice(0, count).join('/')
    const fd = await openFolderLater(root, above, asPlace).catch((error: NodeJS.ErrnoException) => error.code)
    if (fd === 'ELOOP') return root.path + above
    if (typeof fd === 'number') closeFolder(fd)
  }
  return root.path + path
}
