import { useQuery } from '../app/address.ts'
import { useLinks } from '../app/links.ts'

/** The address of another folder of a volume, compared with the same day as this one. */
export function useFolderLink(): (path: string, volumeId: number) => string {
  const links = useLinks()
  const previousDate = useQuery()[0].get('previousDate') ?? undefined
  return (path, volumeId) => links.fileManagement({ path, volumeId, previousDate })
}
