export type FolderPlace = { volumeId: number; path: string }

/** Folder in the URL, without trailing slash; undefined if missing or invalid. */
export function readFolderPlace(query: URLSearchParams): FolderPlace | undefined {
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') || '/'
  if (!Number.isInteger(volumeId) || volumeId < 1 || !path.startsWith('/')) return undefined
  return { volumeId, path: path.replace(/\/+$/, '') || '/' }
}
