import { separatorOf } from '#events/sources/fullPath.ts'

/** How many characters of a name or a path stay in a window of this width, where those are condensed. */
export const nameLimit = (windowWidth: number): number => Math.floor(windowWidth / 93.3)
export const pathLimit = (windowWidth: number): number => Math.floor(windowWidth / 70)

/** `a_very_lo…take-3.mov`: the middle gives way, and the ending stays. */
export function condensedName(name: string, limit: number): string {
  if (name.length <= limit) return name
  const kept = Math.max(2, limit - 1)
  const head = Math.ceil(kept / 2)
  return `${name.slice(0, head)}…${name.slice(head - kept)}`
}

/** `/mnt/pr…/film.mov`: the folders give way, and the last name stays whole. */
export function condensedPath(path: string, limit: number): string {
  if (path.length <= limit) return path
  const last = path.slice(Math.max(0, path.lastIndexOf(separatorOf(path))))
  const head = Math.max(0, limit - last.length - 1)
  return `${path.slice(0, head)}…${last}`
}
