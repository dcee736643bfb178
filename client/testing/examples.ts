import { bundles } from '#events/contract/needs.ts'
import type { CurrentUser } from '#events/users/session.ts'
import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import type { JobDetails, JobRow } from '#events/jobs/calls.ts'
import type { Task } from '#events/jobs/events.ts'
import type { Volume } from '#events/snapshots.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import type { Entry, EntryPage } from '#events/entries.ts'
import type { FileStorage } from '#events/sources/fileStorages.ts'
import type { PowerScaleDraft } from '#events/sources/powerScales.ts'
import { type LiveState, liveOff } from '#events/feeds/liveState.ts'
import type { DetailedVolume, Storage } from '#events/storages.ts'
import { scanRecordOf } from '#events/testing.ts'
import { pageWith } from './fakeApi.ts'

/** The newest snapshot date of the fake server. */
export const today = '2026-03-01'
const at = `${today}T10:00:00.000Z`
const minuteLater = `${today}T10:01:00.000Z`

/** Default user. */
export const administrator: CurrentUser = {
  id: '1',
  name: 'admin',
  email: null,
  roles: [{ authority: 'ROLE_ADMIN' }],
  bundles: [...bundles],
  isOfProvider: false,
  mustChangePassword: false,
  hasSecondFactor: false,
  mustSetUpSecondFactor: false,
  supportUrl: null,
}

/** A successful scan of storage 1. */
export const jobRow = (id: number, changes: Partial<JobRow> = {}): JobRow => ({
  id,
  version: 4,
  type: 'SCAN_ON_PREMISES',
  status: 'SUCCESS',
  serverId: 1,
  agentName: 'Built-in agent',
  userId: 1,
  createdAt: at,
  startedAt: at,
  updatedAt: minuteLater,
  payload: { volumes: [1], cloneIndex: true },
  result: null,
  storages: [{ id: 1, name: 'Films' }],
  storageCount: 1,
  ...changes,
})

/** A job with its tasks. */
export const jobDetails = (id: number, changes: Partial<JobDetails> = {}): JobDetails => ({
  ...jobRow(id),
  tasks: [scanTask(id, 1)],
  ...changes,
})

/** The scan of one storage. */
export const scanTask = (id: number, volumeId: number, changes: Partial<Task> = {}): Task => ({
  id,
  type: 'SCAN_VOLUMES',
  serverId: 1,
  status: 'SUCCESS',
  attempt: 1,
  tries: 1,
  lapses: 0,
  payload: { volumes: [volumeId], cloneIndex: true, scanId: id },
  result: null,
  createdAt: at,
  startedAt: at,
  updatedAt: minuteLater,
  ...changes,
})

/** A scan of job 1 that reads the storage Films. */
export const runningScan = (changes: Partial<ScanRecord> = {}): ScanRecord => ({
  ...scanRecordOf(1, 'running', {
    entries: 500,
    directories: 20,
    bytes: 1_048_576,
    unreadable: 0,
    queued: 3,
    rate: 250,
    currentPath: '/project_7/reel.mov',
  }),
  indexingDate: today,
  startedAt: at,
  ...changes,
})

/** A storage with ten files and a total of 1 GiB, on a disk that is half full. */
export const storageSize = (volumeId: number, changes: Partial<StorageSize> = {}): StorageSize => ({
  volumeId,
  name: `Storage ${volumeId}`,
  type: 'crawl.files',
  path: `/mnt/${volumeId}`,
  fullPath: `/mnt/${volumeId}`,
  total: 2 ** 41,
  used: 2 ** 40,
  free: 2 ** 40,
  fileSystem: `north:${volumeId}`,
  sizeOfFiles: 2 ** 30,
  countedSize: 2 ** 30,
  numberOfFiles: 10,
  numberOfFolders: 2,
  isPartial: false,
  indexingDate: today,
  ...changes,
})

/** A storage in the newest snapshot, without a price book. */
export const volume = (id: number, changes: Partial<Volume> = {}): Volume => {
  const { volumeId: _, countedSize: __, isPartial: ___, ...size } = storageSize(id)
  return { id, ...size, storagePrice: null, ...changes }
}

/** No files in any range of any distribution. */
export const noStatistics: DetailedVolume['statistics'] = {
  SIZE: {},
  MODIFIED_DATE: {},
  ACCESS_DATE: {},
  CREATION_DATE: {},
  BACKUP_DATE: {},
  EXTENSION: {},
  STORAGE_CLASS: {},
}

/** A storage of the built-in agent in the newest snapshot, with empty distributions. */
export const storageDetails = (id: number, changes: Partial<DetailedVolume> = {}): DetailedVolume => ({
  ...volume(id),
  scannedOn: changes.indexingDate ?? today,
  server: { id: 1, name: 'Built-in agent' },
  sharedWith: [],
  crawlDuration: 1_000,
  productName: null,
  isPartial: false,
  accessTimes: 'recorded',
  lacksSizesOnDisk: false,
  mayShareSpace: false,
  notEntered: { count: 0, folders: [] },
  versions: null,
  versionsFailure: null,
  inventoryAt: null,
  statistics: noStatistics,
  ...changes,
})

/** A PowerScale storage of cluster 1. */
export const powerScaleDraft: PowerScaleDraft = {
  host: 'isilon.example.com',
  dataintellName: 'Renders',
  path: '/ifs/renders',
  scanType: 'VOLUME_MULTITHREAD',
  dellPowerScaleCredentials: { id: 1 },
  storagePrice: { id: 1 },
  serverId: 1,
  volumeIgnoreRules: [],
  fullScanSnapshotExpiresDays: 7,
  deltaScanSnapshotExpiresDays: 3,
  certificateFingerprint: '',
  sizeBasis: 'onDisk',
  pace: null,
}

/** One page of a snapshot's storages. */
export const volumePage = (elements: Volume[], indexingDate: string | null = today) => ({
  ...pageWith(elements),
  indexingDate,
})

/** A configured folder, whose changes aren't followed. */
export const configuredStorage = (id: number, changes: Partial<Storage> = {}): Storage => ({
  id,
  name: `Storage ${id}`,
  account: null,
  type: 'crawl.files',
  createdAt: at,
  stats: { capacityUsed: 2 ** 40, capacityTotal: 2 ** 41, capacityFree: 2 ** 40, fileSystem: `north:${id}` },
  live: liveOff,
  ...changes,
})

/** A storage that is live since the morning, and shows all changes. */
export const liveState: LiveState = { state: 'LIVE', reason: null, since: at, behindMs: 0, missed: null }

/** All configured storages. */
export const storagesWith = (...elements: Storage[]) => ({
  elements,
  startCursor: null,
  endCursor: null,
  hasNextPage: false,
  hasPreviousPage: false,
  size: 1_000,
  sort: 'NAME' as const,
  direction: 'asc' as const,
  indexingDate: today,
})

export const dashboardWith = (changes: Partial<Dashboard> = {}): Dashboard => ({
  indexingDate: today,
  storages: [],
  scans: [],
  ...changes,
})

/** A folder of the built-in agent, set up as a storage without a price book. */
export const fileStorage = (id: number, name: string, changes: Partial<FileStorage> = {}): FileStorage => ({
  id,
  name,
  path: `/mnt/${name.toLowerCase()}`,
  type: 'crawl.files',
  server: { id: 1, name: 'Built-in agent' },
  scanType: 'VOLUME_MULTITHREAD',
  storagePrice: null,
  volumeIgnoreRules: [],
  volumeIndexFolderOnlyPaths: [],
  includesMountedFileSystems: false,
  policyActions: 'nothing',
  followsChanges: false,
  readMedia: false,
  sizeBasis: 'onDisk',
  pace: null,
  mountType: 'Local',
  ...changes,
})

/** A file of 1 KiB on the storage Films; its path is relative to the storage's root. */
export const entry = (path: string, changes: Partial<Entry> = {}): Entry => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    fileId: Buffer.from(path).toString('hex').slice(-16),
    name,
    path,
    fullPath: `/mnt/films${path}`,
    volumeId: 1,
    volumeName: 'Films',
    isDirectory: false,
    size: 1_024,
    allocatedSize: 4_096,
    extension: name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '',
    owner: 'ana',
    group: 'editors',
    creationDate: at,
    lastAccess: at,
    lastModified: at,
    lastAccessFolder: null,
    lastModifiedFolder: null,
    backupDate: null,
    indexingDate: today,
    numberOfFiles: null,
    numberOfFolders: null,
    deleted: false,
    dupe: false,
    identificationHash: '',
    archive: null,
    customTag: [],
    metadata: {},
    inode: '1',
    mode: 0o644,
    numberOfLinks: 1,
    linkTarget: '',
    eTag: '',
    storageClass: '',
    previousPath: '',
    unreadable: false,
    notEntered: null,
    ...changes,
  }
}

/** One page of entries. */
export const entryPage = (elements: Entry[], changes: Partial<EntryPage> = {}): EntryPage => ({
  ...pageWith(elements),
  indexingDate: today,
  cursor: null,
  ...changes,
})
