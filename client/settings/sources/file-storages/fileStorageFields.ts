import { builtInAgent } from '#events/agents.ts'
import { shareTypes, type ShareType } from '#events/sources/mountRules.ts'
import { type NetworkShare, NetworkShareDraft } from '#events/sources/networkShares.ts'
import { type mountTypes, type FileStorage, FileStorageDraft } from '#events/sources/fileStorages.ts'
import { type Labels, checkedBy } from '#client/app/form.ts'

export type MountType = (typeof mountTypes)[number]

/** The fields of the forms of a file storage with any mount type. Ids are text, and '' if nothing is selected. */
export type FileStorageFields = {
  agent: string
  mountType: MountType
  host: string
  shareName: string
  /** '' signs in as guest. */
  credentials: string
  options: string
  name: string
  path: string
  scanType: FileStorageDraft['scanType']
  priceBook: string
  ignored: string[]
  foldersOnly: string[]
}

export const newFileStorage: FileStorageFields = {
  agent: String(builtInAgent),
  mountType: 'Local',
  host: '',
  shareName: '',
  credentials: '',
  options: '',
  name: '',
  path: '',
  scanType: 'VOLUME_MULTITHREAD',
  priceBook: '',
  ignored: [],
  foldersOnly: [],
}

export const isShare = (mountType: MountType): mountType is ShareType =>
  (shareTypes as readonly string[]).includes(mountType)

/** The fields of an existing storage, with the mount of a share. */
export function fieldsOf(storage: FileStorage, share: NetworkShare | undefined): FileStorageFields {
  const { server, storagePrice, volumeIgnoreRules, volumeIndexFolderOnlyPaths } = storage
  return {
    ...newFileStorage,
    ...(share && {
      host: share.host,
      shareName: share.shareName,
      credentials: String(share.networkVolumeCredential?.id ?? ''),
      options: share.options,
    }),
    agent: String(server.id),
    mountType: share?.type ?? storage.mountType,
    name: storage.name,
    path: share?.path ?? storage.path,
    scanType: storage.scanType,
    priceBook: String(storagePrice?.id ?? ''),
    ignored: volumeIgnoreRules.map(({ path }) => path),
    foldersOnly: volumeIndexFolderOnlyPaths.map(({ path }) => path),
  }
}

const idOf = (word: string) => (word === '' ? null : { id: Number(word) })
const rules = (paths: string[]) => paths.map((path) => ({ path }))

/** Fields of both kinds of storage. */
const common = ({ path, scanType, priceBook, ignored, foldersOnly }: FileStorageFields) => ({
  path,
  scanType,
  storagePrice: { id: Number(priceBook) },
  volumeIgnoreRules: rules(ignored),
  volumeIndexFolderOnlyPaths: rules(foldersOnly),
})

export const localDraft = (fields: FileStorageFields) => ({
  ...common(fields),
  name: fields.name,
  server: { id: Number(fields.agent) },
})

export const shareDraft = (fields: FileStorageFields & { mountType: ShareType }) => ({
  ...common(fields),
  dataintellName: fields.name,
  type: fields.mountType,
  host: fields.host,
  shareName: fields.shareName,
  options: fields.options,
  serverId: Number(fields.agent),
  // NFS has no credentials.
  networkVolumeCredential: fields.mountType === 'SMB' ? idOf(fields.credentials) : null,
})

/** Labels of the fields of both calls. */
export const labels: Labels = {
  dataintellName: 'Name',
  shareName: 'Share Name',
  'server.id': 'Agent',
  serverId: 'Agent',
  storagePrice: 'Price Book',
  'storagePrice.id': 'Price Book',
  networkVolumeCredential: 'Credentials',
  'networkVolumeCredential.id': 'Credentials',
}

const fieldsOfCalls: Record<string, keyof FileStorageFields> = {
  dataintellName: 'name',
  server: 'agent',
  serverId: 'agent',
  storagePrice: 'priceBook',
  networkVolumeCredential: 'credentials',
  volumeIgnoreRules: 'ignored',
  volumeIndexFolderOnlyPaths: 'foldersOnly',
}

/** The field of a form that shows the message for a field of a call. */
export const shownAt = (field: string): string => {
  const [first = ''] = field.split('.')
  return fieldsOfCalls[first] ?? first
}

/** Error messages by field. */
export function fileStorageErrors(fields: FileStorageFields): Record<string, string> {
  const { mountType } = fields
  const errors = isShare(mountType)
    ? checkedBy(NetworkShareDraft, labels)(shareDraft({ ...fields, mountType }))
    : checkedBy(FileStorageDraft, labels)(localDraft(fields))
  return {
    ...Object.fromEntries(Object.entries(errors).map(([field, message]) => [shownAt(field), message])),
    ...(fields.agent === '' && { agent: "Agent can't be empty" }),
    ...(fields.priceBook === '' && { priceBook: "Price Book can't be empty" }),
  }
}
