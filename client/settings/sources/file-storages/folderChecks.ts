import { useDebouncedValue } from '@mantine/hooks'
import { type FolderCheck, type FolderOfSource, folderCheck } from '#events/sources/folderCheck.ts'
import type { mountTypes } from '#events/sources/fileStorages.ts'
import { shareTypes, type ShareType } from '#events/sources/mountRules.ts'
import type { NotEntered } from '#events/scans/notEntered.ts'
import { notIncludedText } from '#client/parts/storages/notIncluded.ts'
import { sharedSpaceText } from '#client/parts/storages/volumeWords.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { hasSignIn, signInOf } from './networkCredentials.ts'
import type { Problems } from '#client/parts/settings-table/connectionCheck.ts'

export type MountType = (typeof mountTypes)[number]

/** Fields that name a folder. The credentials are '' for a guest. */
export type FolderFields = Record<
  'agent' | 'path' | 'host' | 'shareName' | 'credentials' | 'username' | 'password' | 'options',
  string
> & {
  mountType: MountType
  includesMounted: boolean
}

export const isShare = (mountType: MountType): mountType is ShareType =>
  (shareTypes as readonly string[]).includes(mountType)

type Mount = Pick<FolderFields, 'host' | 'shareName' | 'credentials' | 'options'> & { mountType: ShareType }

/** The mount of a share. NFS has no credentials. */
export const mountOf = ({ mountType, host, shareName, credentials, options }: Mount) => ({
  type: mountType,
  host,
  shareName,
  options,
  networkVolumeCredential: mountType === 'SMB' && credentials !== '' ? { id: Number(credentials) } : null,
})

/** Milliseconds without typing until a folder is checked. */
const debounceMs = 400

/** The folder of a storage, for its agent to check; undefined while no path is entered. */
export function folderOf(fields: FolderFields, volumeId: number | null = null): FolderOfSource | undefined {
  const { mountType, agent, path } = fields
  if (!path.startsWith('/') || agent === '') return undefined
  const where = { serverId: Number(agent), path, volumeId, includesMountedFileSystems: fields.includesMounted }
  if (!isShare(mountType)) return { ...where, share: null }
  const signIn = hasSignIn(fields) ? signInOf(fields) : null
  return { ...where, share: { ...mountOf({ ...fields, mountType }), signIn } }
}

/**
 * Has the agent check a folder; sends no request without one. `isCurrent` is false while the result is for an earlier
 * input.
 */
export function useFolderCheck(folder: FolderOfSource | undefined): Loadable<FolderCheck> & { isCurrent: boolean } {
  const now = JSON.stringify(folder)
  const [debounced] = useDebouncedValue(now, debounceMs)
  const body = debounced === undefined ? undefined : (JSON.parse(debounced) as FolderOfSource)
  const check = useRemote(folderCheck, body && { body }, 'sources')
  return { ...check, isCurrent: debounced === now && !check.loading }
}

/** A problem with the folder of a storage. With `mayBeMeant` it can be scanned anyway. */
type Objection = { text: string; mayBeMeant: boolean }

const isOutside = ({ reason }: NotEntered) => reason !== 'kernel'

/** Ignored paths that the storage should have, because it contains snapshots of its files. */
export const suggestedRules = ({ snapshotRules }: FolderCheck, ignored: readonly string[]): string[] =>
  snapshotRules.filter((rule) => !ignored.includes(rule))

/** All problems, the most serious first. */
export function objectionsTo(check: FolderCheck, ignored: readonly string[]): Objection[] {
  const { reason, isEmpty, isSilent, coveredBy, covers, notEntered, sharesSpace } = check
  const rules = suggestedRules(check, ignored)
  const mayBeMeant = (text: string) => ({ text, mayBeMeant: true })
  return [
    ...(reason === null ? [] : [{ text: reason, mayBeMeant: false }]),
    ...(isSilent ? [mayBeMeant('The agent does not respond, so the folder could not be checked')] : []),
    ...(isEmpty ? [mayBeMeant('The folder is empty: maybe its file system is not mounted')] : []),
    ...(coveredBy === null ? [] : [mayBeMeant(`It is already covered by the storage ${coveredBy}`)]),
    ...(covers.length === 0 ? [] : [mayBeMeant(containsText(covers))]),
    ...(rules.length === 0
      ? []
      : [mayBeMeant(`It contains snapshots, whose files would be counted again. Ignore ${rules.join(' and ')}`)]),
    ...(sharesSpace ? [mayBeMeant(sharedSpaceText)] : []),
    ...(notEntered.some(isOutside) ? [mayBeMeant(notIncludedText(notEntered.filter(isOutside)))] : []),
  ]
}

/** Problems with the folder of a storage by field. Why it can't be scanned comes alone. Shared space is only a hint. */
export function problemsOf(check: FolderCheck, fields: FolderFields & { ignored: string[] }): Problems {
  const { reason, field } = check
  const { mountType, ignored } = fields
  const at = field === 'credentials' && hasSignIn(fields) ? 'password' : field
  if (reason !== null) return { [at ?? (isShare(mountType) ? 'host' : 'path')]: reason }
  const texts = objectionsTo({ ...check, sharesSpace: false }, ignored).map(({ text }) => text.replace(/\.$/, ''))
  return texts.length === 0 ? {} : { path: `${texts.join('. ')}.` }
}

const containsText = (names: readonly string[]): string =>
  names.length === 1
    ? `This folder contains the storage "${names[0]}". Its files would be counted twice.`
    : `This folder contains the storages ${names.map((name) => `"${name}"`).join(', ')}. Their files would be counted twice.`
