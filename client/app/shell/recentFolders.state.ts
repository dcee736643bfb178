import { proxy } from 'valtio'

type RecentFolder = { volumeId: number; path: string }

const key = 'recentFolders'
const most = 8

/** The folders that were looked at last in this browser, newest first. */
export const recentFolders = proxy<{ list: RecentFolder[] }>({ list: readKept() })

export function noteFolder(folder: RecentFolder): void {
  const others = recentFolders.list.filter(({ volumeId, path }) => volumeId !== folder.volumeId || path !== folder.path)
  recentFolders.list = [folder, ...others].slice(0, most)
  localStorage.setItem(key, JSON.stringify(recentFolders.list))
}

function readKept(): RecentFolder[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isFolder) : []
  } catch {
    return []
  }
}

function isFolder(kept: unknown): kept is RecentFolder {
  if (typeof kept !== 'object' || kept === null || !('volumeId' in kept) || !('path' in kept)) return false
  return typeof kept.volumeId === 'number' && typeof kept.path === 'string'
}
