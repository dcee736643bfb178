import { separatorOf } from '#events/sources/fullPath.ts'

/** Maximum characters of a shortened name or path for a window width in pixels. */
export const nameLimit = (windowWidth: number): number => Math.floor(windowWidth / 93.3)
export const pathLimit = (windowWidth: number): number => Math.floor(windowWidth / 70)

/** `a_very_lo…take-3.mov`: shortens the middle and keeps the extension. */
export function condensedName(name: string, limit: number): string {
  if (name.length <= limit) return name
  const kept = Math.max(2, limit - 1)
  const head = Math.ceil(kept / 2)
  return `${name.slice(0, head)}…${name.slice(head - kept)}`
}

/** `/mnt/pr…/film.mov`: shortens the folders and keeps the last name. */
export function condensedPath(path: string, limit: number): string {
  if (path.length <= limit) return path
  const last = path.slice(Math.max(0, path.lastIndexOf(separatorOf(path))))
  const head = Math.max(0, limit - last.length - 1)
  return `${path.slice(0, head)}…${last}`
}
