import { dropboxLink } from '#events/sources/dropbox.ts'
import { useRemote } from '#client/app/remote.ts'

/** Where a user gets a code of Dropbox; undefined where it is not known, and where this server has no app key of Dropbox. */
export const useDropboxLink = (): string | undefined => useRemote(dropboxLink, {}).data?.url ?? undefined

/** Leads to Dropbox, which shows a code to copy once it was allowed there. */
export function GetCode() {
  const address = useDropboxLink()
  if (address === undefined) return null
  return (
    <a href={address} target="_blank" rel="noreferrer">
      Get a code from Dropbox
    </a>
  )
}
