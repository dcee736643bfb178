import { useDebouncedValue } from '@mantine/hooks'
import { type FolderCheck, type FolderOfSource, folderCheck } from '#events/sources/folderCheck.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { type FileStorageFields, isShare, shareDraft } from './fileStorageFields.ts'

/** A folder is looked into once nothing was typed for so long. */
const debounceMs = 400

/** Where a storage is to be, as its agent is asked about it; undefined while no path is entered. */
export function folderOf(fields: FileStorageFields, volumeId: number | null = null): FolderOfSource | undefined {
  const { mountType, agent } = fields
  const path = fields.path.trim()
  if (!path.startsWith('/') || agent === '') return undefined
  const where = { serverId: Number(agent), path, volumeId }
  if (!isShare(mountType)) return { ...where, share: null }
  const { type, host, shareName, options, networkVolumeCredential } = shareDraft({ ...fields, mountType })
  return { ...where, share: { type, host, shareName, options, networkVolumeCredential } }
}

/** What its agent finds in a folder; nothing is asked without one. `isCurrent`: it is of the folder as it is entered. */
export function useFolderCheck(folder: FolderOfSource | undefined): Loadable<FolderCheck> & { isCurrent: boolean } {
  const now = JSON.stringify(folder)
  const [debounced] = useDebouncedValue(now, debounceMs)
  const body = debounced === undefined ? undefined : (JSON.parse(debounced) as FolderOfSource)
  const check = useRemote(folderCheck, body && { body }, 'sources')
  return { ...check, isCurrent: debounced === now && !check.loading }
}

/** What speaks against a storage in a folder; `mayBeMeant` when it can be scanned nevertheless. */
type Objection = { text: string; mayBeMeant: boolean }

/** All that speaks against it, the worst first. */
export function objectionsTo({ reason, isEmpty, isSilent, coveredBy, covers }: FolderCheck): Objection[] {
  const mayBeMeant = (text: string) => ({ text, mayBeMeant: true })
  return [
    ...(reason === null ? [] : [{ text: reason, mayBeMeant: false }]),
    ...(isSilent ? [mayBeMeant('The agent does not respond, so the folder could not be checked')] : []),
    ...(isEmpty ? [mayBeMeant('The folder is empty: maybe its file system is not mounted')] : []),
    ...(coveredBy === null ? [] : [mayBeMeant(`It is already covered by the storage ${coveredBy}`)]),
    ...(covers.length === 0 ? [] : [mayBeMeant(`It contains existing storages: ${covers.join(', ')}`)]),
  ]
}

/** Looks into the folder of a storage that is to be set up, and gives back in one sentence why not; undefined for nothing. */
export async function whyNotCreated(fields: FileStorageFields): Promise<string | undefined> {
  const body = folderOf(fields)
  const objections = body ? objectionsTo(await call(folderCheck, { body })) : []
  if (objections.length === 0) return undefined
  const reasons = objections.map(({ text }) => text).join('; ')
  return `Unable to create a File Storage for [${fields.name.trim()}]. Possible reasons: ${reasons}`
}
