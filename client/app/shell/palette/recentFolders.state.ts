import { proxy } from 'valtio'
import { json, remembered } from '#client/ui/remembered.ts'

/** A browser may have several users, who don't see the same folders. */
type RecentFolder = { volumeId: number; path: string; userId: string }

const maxFolders = 8
const folders = json((value) => (Array.isArray(value) ? value.filter(isFolder) : undefined))
const recent = remembered('recentFolders', folders, [])

/** Folders that users opened last in this browser, newest first. */
export const recentFolders = proxy<{ list: RecentFolder[] }>({ list: recent.read() })

export function noteFolder(folder: RecentFolder): void {
  const others = recentFolders.list.filter(
    ({ volumeId, path, userId }) => volumeId !== folder.volumeId || path !== folder.path || userId !== folder.userId,
  )
  recentFolders.list = [folder, ...others].slice(0, maxFolders)
  recent.write(recentFolders.list)
}

function isFolder(value: unknown): value is RecentFolder {
  const { volumeId, path, userId } = (value ?? {}) as { [k in keyof RecentFolder]?: unknown }
  return typeof volumeId === 'number' && typeof path === 'string' && typeof userId === 'string'
}
