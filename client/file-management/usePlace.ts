import { isTypedPath } from '#events/sources/fullPath.ts'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'

/** Folder and view in the URL. */
export type Place = {
  volumeId: number | undefined
  path: string
  fileName: string | undefined
  /** Date to compare with. */
  previousDate: string | undefined
  /** For the two lists: selected list and page. */
  tab: 'folders' | 'files'
  page: number
  go: (change: Record<string, string>) => void
}

export function usePlace(): Place {
  const [query, change] = useQuery()
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') ?? '/'
  return {
    volumeId: Number.isInteger(volumeId) && volumeId > 0 ? volumeId : undefined,
    path: isTypedPath(path) ? path : `/${path}`,
    fileName: query.get('fileName') ?? undefined,
    previousDate: query.get('previousDate') ?? undefined,
    tab: query.get('tab') === 'files' ? 'files' : 'folders',
    page: Math.max(1, Math.floor(Number(query.get('page'))) || 1),
    go: (changes) =>
      change(
        (query) => {
          for (const [name, value] of Object.entries(changes)) query.set(name, value)
        },
        { replace: true },
      ),
  }
}

/** Returns links to folders that keep the date to compare with. */
export function useFolderLink(): (path: string, volumeId: number) => string {
  const links = useLinks()
  const previousDate = useQuery()[0].get('previousDate') ?? undefined
  return (path, volumeId) => links.fileManagement({ path, volumeId, previousDate })
}
