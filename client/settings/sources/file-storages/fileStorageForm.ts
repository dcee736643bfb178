import { builtInAgent } from '#events/agents.ts'
import { shareTypes, type ShareType } from '#events/sources/mountRules.ts'
import { type NetworkShare, NetworkShareDraft } from '#events/sources/networkShares.ts'
import type { SizeBasis } from '#events/sources/sizeBasis.ts'
import { type mountTypes, type FileStorage, FileStorageDraft } from '#events/sources/fileStorages.ts'
import { defineForm } from '#client/app/defineForm.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import { paceOfLookups, type PaceFields } from '../pace/paceForm.ts'
import { storagePriceOf } from '#client/settings/price-books/noCosts.ts'

export type MountType = (typeof mountTypes)[number]

/** The fields of the forms of a file storage with any mount type. Ids are text, and '' if nothing is selected. */
export type FileStorageFields = PaceFields & {
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
  includesMounted: boolean
  sizeBasis: SizeBasis
}

export const isShare = (mountType: MountType): mountType is ShareType =>
  (shareTypes as readonly string[]).includes(mountType)

const idOf = (word: string) => (word === '' ? null : { id: Number(word) })
const rules = (paths: string[]) => paths.map((path) => ({ path }))

/** Fields of both kinds of storage. */
const common = ({ path, scanType, priceBook, ignored, foldersOnly, sizeBasis, ...fields }: FileStorageFields) => ({
  path,
  scanType,
  storagePrice: storagePriceOf(priceBook),
  volumeIgnoreRules: rules(ignored),
  volumeIndexFolderOnlyPaths: rules(foldersOnly),
  sizeBasis,
  pace: paceOfLookups.toDraft(fields),
})

export const localDraft = (fields: FileStorageFields) => ({
  ...common(fields),
  name: fields.name,
  server: { id: Number(fields.agent) },
  includesMountedFileSystems: fields.includesMounted,
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

/** The mount of a share, or the path of a local folder. */
function mountOf({ mountType, path }: FileStorage, share: NetworkShare | undefined) {
  if (!share) return { mountType: mountType ?? 'Local', path, host: '', shareName: '', credentials: '', options: '' }
  const { type, host, shareName, options, networkVolumeCredential } = share
  const credentials = String(networkVolumeCredential?.id ?? '')
  return { mountType: type, path: share.path, host, shareName, credentials, options }
}

/** Form of a file storage, which is sent by the call of its mount type. */
export const fileStorageForm = defineForm({
  schema: ({ mountType }) => (isShare(mountType) ? NetworkShareDraft : FileStorageDraft),
  fields: {
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
    includesMounted: false,
    sizeBasis: 'onDisk',
    ...paceOfLookups.fields,
  } as FileStorageFields,
  toDraft: (fields) => {
    const { mountType } = fields
    return isShare(mountType) ? shareDraft({ ...fields, mountType }) : localDraft(fields)
  },
  fromRow: ({ share, ...storage }: FileStorage & { share: NetworkShare | undefined }): FileStorageFields => ({
    ...mountOf(storage, share),
    agent: String(storage.server.id),
    name: storage.name,
    scanType: storage.scanType,
    priceBook: String(storage.storagePrice?.id ?? ''),
    ignored: storage.volumeIgnoreRules.map(({ path }) => path),
    foldersOnly: storage.volumeIndexFolderOnlyPaths.map(({ path }) => path),
    includesMounted: storage.includesMountedFileSystems,
    sizeBasis: storage.sizeBasis,
    ...paceOfLookups.fromRow(storage.pace),
  }),
  inputFor: {
    dataintellName: 'name',
    server: 'agent',
    serverId: 'agent',
    storagePrice: 'priceBook',
    networkVolumeCredential: 'credentials',
    volumeIgnoreRules: 'ignored',
    volumeIndexFolderOnlyPaths: 'foldersOnly',
    includesMountedFileSystems: 'includesMounted',
    ...paceOfLookups.inputFor,
  },
  labels: {
    dataintellName: 'Name',
    shareName: 'Share Name',
    'server.id': 'Agent',
    serverId: 'Agent',
    storagePrice: 'Price Book',
    'storagePrice.id': 'Price Book',
    networkVolumeCredential: 'Credentials',
    'networkVolumeCredential.id': 'Credentials',
    ...paceOfLookups.labels,
  },
  check: ({ agent, ...fields }) => ({
    agent: agent === '' && "Agent can't be empty",
    ...paceOfLookups.check(fields),
  }),
})

export type FileStorageForm = FormState<FileStorageFields>
