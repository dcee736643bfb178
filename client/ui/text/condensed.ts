import { separatorOf } from '#events/sources/fullPath.ts'
import { graphemes } from './graphemes.ts'

/** Maximum characters of a shortened name or path for a window width in pixels. */
export const nameLimit = (windowWidth: number): number => Math.floor(windowWidth / 93.3)
export const pathLimit = (windowWidth: number): number => Math.floor(windowWidth / 70)

/** `a_very_lo…take-3.mov`: shortens the middle and keeps the extension. */
export function condensedName(name: string, limit: number): string {
  if (name.length <= limit) return name
  const characters = graphemes(name)
  if (characters.length <= limit) return name
  const kept = Math.max(2, limit - 1)
  const head = Math.ceil(kept / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(head - kept).join('')}`
}

/** `/mnt/pr…/film.mov`: shortens the folders and keeps the last name. */
export function condensedPath(path: string, limit: number): string {
  if (path.length <= limit) return path
  const end = Math.max(0, path.lastIndexOf(separatorOf(path)))
  const [folders, last] = [graphemes(path.slice(0, end)), graphemes(path.slice(end))]
  if (folders.length + last.length <= limit) return path
  const head = Math.max(0, limit - last.length - 1)
  return `${folders.slice(0, head).join('')}…${last.join('')}`
}
