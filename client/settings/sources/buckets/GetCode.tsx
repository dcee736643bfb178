import { dropboxLink } from '#events/sources/dropbox.ts'
import { useRemote } from '#client/app/remote.ts'

/** Address where a user gets a Dropbox code; undefined until loaded, and if this server has no Dropbox app key. */
export const useDropboxLink = (): string | undefined => useRemote(dropboxLink, {}).data?.url ?? undefined

/** Link to Dropbox, which shows a code to copy once the user allows access. */
export function GetCode() {
  const address = useDropboxLink()
  if (address === undefined) return null
  return (
    <a href={address} target="_blank" rel="noreferrer">
      Get a code from Dropbox
    </a>
  )
}
