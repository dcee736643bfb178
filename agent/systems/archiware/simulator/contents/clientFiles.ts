import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Client } from './resources.ts'

/** A file or directory of a client. `mtime` in seconds since 1970. `diskPath` is its path on this machine, if it has one. */
export type ClientFile = { path: string; isDirectory: boolean; size: number; mtime: number; diskPath?: string }

/** Path on this machine of a client's path: the folder with the longest matching prefix of whole segments. */
export function diskPathOf({ folders = {} }: Pick<Client, 'folders'>, path: string): string | undefined {
  const segments = path.split('/')
  if (!path.startsWith('/') || segments.some((name) => name === '.' || name === '..')) return undefined
  const [prefix] = Object.keys(folders)
    .filter((folder) => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
    .sort((a, b) => b.length - a.length)
  return prefix === undefined ? undefined : join(folders[prefix] as string, path.slice(prefix.length))
}

/** True if a client has a directory at a path. */
export function hasDirectory(client: Client, path: string): boolean {
  if (!client.folders) return path.startsWith('/')
  const diskPath = diskPathOf(client, path)
  return diskPath !== undefined && (statSync(diskPath, { throwIfNoEntry: false })?.isDirectory() ?? false)
}

/** The file at a client's path, or undefined. */
export function fileAt(client: Client, path: string): ClientFile | undefined {
  if (!client.folders)
    return path.startsWith('/') ? { path, isDirectory: false, size: 1_000, mtime: 1_700_000_000 } : undefined
  const diskPath = diskPathOf(client, path)
  const stats = diskPath === undefined ? undefined : lstatSync(diskPath, { throwIfNoEntry: false })
  if (diskPath === undefined || !stats || !(stats.isFile() || stats.isDirectory())) return undefined
  const isDirectory = stats.isDirectory()
  return { path, isDirectory, size: isDirectory ? 0 : stats.size, mtime: Math.floor(stats.mtimeMs / 1_000), diskPath }
}

/** A file, or a directory with all below it, directories first. */
export function filesAt(client: Client, path: string): ClientFile[] {
  const file = fileAt(client, path)
  if (!file?.isDirectory || file.diskPath === undefined) return file ? [file] : []
  const names = readdirSync(file.diskPath).sort()
  return [file, ...names.flatMap((name) => filesAt(client, `${path}/${name}`))]
}

/** Path without its trailing slashes, and the part of it before its last segment. */
export function splitPath(path: string): { path: string; parent: string; name: string } {
  const whole = path.replace(/\/+$/, '')
  const name = basename(whole)
  return { path: whole, parent: whole.slice(0, whole.length - name.length - 1), name }
}
