import { proxy } from 'valtio'
import { json, remembered } from '#client/ui/remembered.ts'

type RecentFolder = { volumeId: number; path: string }

const maxFolders = 8
const folders = json((value) => (Array.isArray(value) ? value.filter(isFolder) : undefined))
const recent = remembered('recentFolders', folders, [])

/** Folders opened last in this browser, newest first. */
export const recentFolders = proxy<{ list: RecentFolder[] }>({ list: recent.read() })

export function noteFolder(folder: RecentFolder): void {
  const others = recentFolders.list.filter(({ volumeId, path }) => volumeId !== folder.volumeId || path !== folder.path)
  recentFolders.list = [folder, ...others].slice(0, maxFolders)
  recent.write(recentFolders.list)
}

function isFolder(value: unknown): value is RecentFolder {
  if (typeof value !== 'object' || value === null || !('volumeId' in value) || !('path' in value)) return false
  return typeof value.volumeId === 'number' && typeof value.path === 'string'
}
