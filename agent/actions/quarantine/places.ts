import { type FileHandle, open, readlink, realpath, rmdir, writeFile } from 'node:fs/promises'
import { bytesOfName, nameFromBytes } from '#events/contract/fileNames.ts'
import { quarantineFolder } from '#events/scans/notEntered.ts'
import { asPlace, closeFolder, openFolderLater, type Root, rootOnDisk } from '../../systems/local/beneath.ts'
import { createPrivate, exists, isPrivate, pathOf, statsOf, unless } from './entries.ts'
import { reason } from '../../systems/local/index.ts'
import { isRemote, isWithin, mountWith } from '../../systems/local/mounts.ts'
import { ActionFailed } from '../action.ts'

/** The open root of a storage. */
export type Storage = {
  root: Root
  /** Path without links, one character for each byte. */
  realPath: string
  device: bigint
  /** False where the kernel of this machine doesn't know which files are open, as on network file systems. */
  knowsOpenFiles: boolean
  /** True for a file that the agent's own configuration lets it change. */
  mayChange(path: string): boolean
  close(): Promise<void>
}

/** Opens the root of a storage. Throws `ActionFailed` if it can't, or if the agent may not change any of its files. */
export async function openStorage(path: string, allowed: readonly string[], agentId: number): Promise<Storage> {
  const shown = path || '/'
  const handle: FileHandle = await open(rootOnDisk(path), asPlace).catch((error: unknown) => {
    throw new ActionFailed(`The storage ${shown} can't be opened: ${reason(error)}`)
  })
  try {
    const realPath = await readlink(`/proc/self/fd/${handle.fd}`, 'latin1')
    const folders = (await Promise.all(allowed.map(realPathOf))).filter((folder) => folder !== undefined)
    if (!folders.some((folder) => isWithin(realPath, folder) || isWithin(folder, realPath)))
      throw new ActionFailed(
        `Agent ${agentId} may not change files in ${shown}. Set AGENT_MAY_CHANGE=${shown} for this agent and restart it.`,
      )
    const { dev } = await statsOf(handle.fd)
    const mount = await mountWith(nameFromBytes(Buffer.from(realPath, 'latin1'))).catch(() => undefined)
    const base = realPath === '/' ? '' : realPath
    return {
      root: { fd: handle.fd, path },
      realPath,
      device: dev,
      knowsOpenFiles: mount !== undefined && !isRemote(mount.type),
      mayChange(file) {
        const whole = base + bytesOfName(file).toString('latin1')
        return folders.some((folder) => isWithin(whole, folder))
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const realPathOf = (folder: string): Promise<string | undefined> =>
  realpath(folder, 'latin1').then(
    (path) => path,
    () => undefined,
  )

const readme = `DataIntell moved the files in these folders here instead of deleting them. They are unchanged.

Each run has a folder, and a script of the same name that puts its files back to where they were:
  sh NAME.sh
It needs only a shell, replaces nothing, and may be run again. Please do not rename or change anything here.
`

/**
 * Opens the quarantine of a storage, which the caller closes with `closeFolder`; undefined if it doesn't exist and isn't to be created. Throws
 * `ActionFailed` if others could change its contents, or the error of the system.
 */
export async function openQuarantineFolder(
  { root }: Storage,
  { toMove, create }: { toMove: boolean; create: boolean },
): Promise<number | undefined> {
  const at = { folder: root.fd, name: quarantineFolder }
  if (create) await createPrivate(at).catch(unless('EEXIST'))
  else if (!(await exists(at))) return undefined
  const shown = `${root.path}/${quarantineFolder}`
  const folder = await openFolderLater(root, `/${quarantineFolder}`, asPlace, true).catch((error: unknown) => {
    throw new ActionFailed(`${shown} is not a folder of this storage (${reason(error)}). Rename or remove it.`)
  })
  try {
    if (!isPrivate(await statsOf(folder), 'folder'))
      throw new ActionFailed(
        `${shown} can be changed by others than the agent. Rename or remove it: the agent uses only a folder that it owns, with the mode 700.`,
      )
    const about = pathOf({ folder, name: 'README.txt' })
    if (toMove) await writeFile(about, readme, { flag: 'wx', mode: 0o600 }).catch(unless('EEXIST'))
    return folder
  } catch (error) {
    closeFolder(folder)
    throw error
  }
}

/** Removes an empty folder below another one, and the empty folders above it. */
export async function removeEmpty(top: Root, path: string): Promise<void> {
  for (let rest = path; rest !== ''; rest = rest.slice(0, rest.lastIndexOf('/'))) {
    const slash = rest.lastIndexOf('/')
    const folder = await openFolderLater(top, rest.slice(0, slash), asPlace, true).catch(() => undefined)
    if (folder === undefined) continue
    const isRemoved = await rmdir(pathOf({ folder, name: rest.slice(slash + 1) })).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    closeFolder(folder)
    if (!isRemoved) return
  }
}
