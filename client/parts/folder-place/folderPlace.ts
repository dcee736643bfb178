/** A folder of a storage. */
export type FolderPlace = { volumeId: number; path: string }

/** The folder that an address names, without a slash at its end; undefined where it names none that there could be. */
export function readFolderPlace(query: URLSearchParams): FolderPlace | undefined {
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') || '/'
  if (!Number.isInteger(volumeId) || volumeId < 1 || !path.startsWith('/')) return undefined
  return { volumeId, path: path.replace(/\/+$/, '') || '/' }
}
