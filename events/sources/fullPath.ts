import type { ShareType } from './mountRules.ts'

/** Address of a share on the network. */
export type ShareAddress = { type: ShareType; host: string; shareName: string }

/**
 * Start of a storage's paths, as its users write it: `/mnt/films`; for a share `\\nas\media\shows` or `nas:/export/shows`, with `path` as
 * the folder that is scanned.
 */
export function rootPath(path: string, share: ShareAddress | null | undefined): string {
  if (!share) return path
  const lead = share.type === 'SMB' ? `//${share.host}/${share.shareName}` : `${share.host}:${share.shareName}`
  const whole = path === '/' ? lead : `${withoutSlash(lead)}${path}`
  return share.type === 'SMB' ? withBackslashes(whole) : whole
}

/** The path of an entry as users write it, from where its storage begins and its path within, which is `/` or empty for all of it. */
export function fullPathOf(root: string, path: string): string {
  if (path === '' || path === '/') return root
  return `${withoutSlash(root)}${isOfWindows(root) ? withBackslashes(path) : path}`
}

/** The path within a storage of a full path, `/` for its root; undefined if the full path is elsewhere. */
export function pathWithin(root: string, fullPath: string): string | undefined {
  const whole = withoutSlash(fullPath)
  return whole === withoutSlash(root) ? '/' : behindRoot(root, whole)
}

/** The rest of a text that begins with where a storage begins, starting with a slash; undefined if it begins otherwise. */
export function behindRoot(root: string, text: string): string | undefined {
  const start = withoutSlash(root)
  if (!text.startsWith(`${start}${separatorOf(root)}`)) return undefined
  const rest = text.slice(start.length)
  return isOfWindows(root) ? rest.replaceAll('\\', '/') : rest
}

/** True for a path within a storage, and for a full one: `/films`, `\\\\nas\\films`, `nas:/films`, `s3://films`. */
export const isTypedPath = (text: string): boolean => /^(\/|\\\\|[^/\\]+:\/)/.test(text)

/** The full path of another place within the storage of an entry. */
export function inSameStorage({ fullPath, path }: { fullPath: string; path: string }, other: string): string {
  const root = path === '/' ? fullPath : fullPath.slice(0, -path.length)
  return fullPathOf(root || '/', other)
}

/** Separator between the names of a full path. */
export const separatorOf = (path: string): string => (isOfWindows(path) ? '\\' : '/')

/** True if paths of a storage that begins here have backslashes. */
export const isOfWindows = (root: string): boolean => root.startsWith('\\\\')

const withBackslashes = (path: string): string => path.replaceAll('/', '\\')
const withoutSlash = (path: string): string => (/[^/\\][/\\]$|^\/$/.test(path) ? path.slice(0, -1) : path)
