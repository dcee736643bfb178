import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'

/** The folder and the view that the address names. */
export type Place = {
  volumeId: number | undefined
  path: string
  fileName: string | undefined
  /** The day that the active one is compared with. */
  previousDate: string | undefined
  /** Of the two lists: which one, and its page. */
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
    path: path.startsWith('/') ? path : `/${path}`,
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

/** The address of another folder of a volume, compared with the same day as this one. */
export function useFolderLink(): (path: string, volumeId: number) => string {
  const links = useLinks()
  const previousDate = useQuery()[0].get('previousDate') ?? undefined
  return (path, volumeId) => links.fileManagement({ path, volumeId, previousDate })
}
