import type { Bundle } from '#events/contract/needs.ts'
import type { JobType } from '#events/jobs/types.ts'
import type { ScannerClass } from '#events/schedules/calls.ts'
import type { StorageStatistics } from '#events/storages.ts'

/** Groups of storages for users, by location. `place` names the location in searches. */
export const storageGroups = {
  file: { label: 'File storage', place: 'On-Premises' },
  object: { label: 'Object storage', place: 'cloud' },
  archive: { label: 'Archive storage', place: 'archive' },
} as const
export type StorageGroup = keyof typeof storageGroups

/** The kinds of source, each set up and scanned in its own way. */
export const sourceKinds = ['fileStorage', 'networkShare', 'bucket', 'powerScale', 'archiware'] as const
export type SourceKind = (typeof sourceKinds)[number]

/**
 * `walk` reads directories through the kernel of the agent's machine, in threads; each ends with a mark. `pages` asks a system
 * behind a network for pages of entries, and ends them with checkpoints.
 */
export type Listing = 'walk' | 'pages'

type SourceFacts = {
  group: StorageGroup
  /** Names: as a label, and for one and several in the middle of a sentence. */
  label: string
  one: string
  plural: string
  /** The words by which the wire knows volumes of this kind, each as the list of all storages writes it. */
  types: Readonly<Record<string, string>>
  /** True if this version can set them up. */
  isAvailable: boolean
  /** The bundle whose license they need. */
  bundle?: Bundle
  scannedBy: JobType
  /** Name of the ids in payloads of its jobs and schedules. */
  idsName: string
  /** Segment of the address of the call that scans it. `volumes` takes IDs of volumes, the others those of the kind's own table. */
  scanCall: string
  listing: Listing
  /** The schedules that scan this kind and no other: all of them, and those that are named. */
  scheduledBy: readonly [all: ScannerClass, some: ScannerClass]
  /** True if a scan can be limited to changes since the last one. */
  hasDelta: boolean
  /** True if a scan that failed can be started again from its job. */
  canRelaunch: boolean
  /** Statistics that a scan learns about files in addition to their sizes, last changes and extensions. */
  knows: readonly (keyof StorageStatistics)[]
  /** Statistics that it learns for some of the types alone. */
  alsoKnows?: Readonly<Record<string, readonly (keyof StorageStatistics)[]>>
}

/** All that differs between the kinds of source and is not code of its own; every list of kinds is read from here. */
export const sources = {
  fileStorage: {
    group: 'file',
    label: 'File storage',
    one: 'file storage',
    plural: 'file storages',
    types: { 'crawl.files': 'File' },
    isAvailable: true,
    scannedBy: 'SCAN_ON_PREMISES',
    idsName: 'volumes',
    scanCall: 'volumes',
    listing: 'walk',
    scheduledBy: ['SCAN_ALL_VOLUMES', 'SCAN_VOLUMES'],
    hasDelta: false,
    canRelaunch: true,
    knows: ['ACCESS_DATE', 'CREATION_DATE'],
  },
  networkShare: {
    group: 'file',
    label: 'Network volume',
    one: 'network volume',
    plural: 'file storages',
    types: { NetworkVolume: 'File' },
    isAvailable: true,
    scannedBy: 'SCAN_ON_PREMISES',
    idsName: 'volumes',
    scanCall: 'volumes',
    listing: 'walk',
    scheduledBy: ['SCAN_ALL_VOLUMES', 'SCAN_VOLUMES'],
    hasDelta: false,
    canRelaunch: true,
    knows: ['CREATION_DATE'],
  },
  bucket: {
    group: 'object',
    label: 'Object storage',
    one: 'object storage',
    plural: 'object storages',
    types: {
      'AWS-S3': 'Amazon S3',
      S3: 'Amazon S3',
      AZURE: 'Azure Blob Storage',
      GOOGLE: 'Google Cloud Storage',
      OTHER: 'Custom S3',
      WASABI: 'Wasabi',
      ORACLE_OBJECT_STORAGE: 'Oracle Object Storage',
      BACKBLAZE_B2: 'Backblaze B2',
      DROPBOX: 'Dropbox',
    },
    isAvailable: true,
    scannedBy: 'SCAN_CLOUD',
    idsName: 'bucketsId',
    scanCall: 'buckets',
    listing: 'pages',
    scheduledBy: ['SCAN_ALL_BUCKETS', 'SCAN_BUCKETS'],
    hasDelta: false,
    canRelaunch: false,
    knows: [],
    // Others have one storage class alone, or none.
    alsoKnows: {
      'AWS-S3': ['STORAGE_CLASS'],
      S3: ['STORAGE_CLASS'],
      AZURE: ['CREATION_DATE', 'STORAGE_CLASS'],
      GOOGLE: ['STORAGE_CLASS'],
      ORACLE_OBJECT_STORAGE: ['STORAGE_CLASS'],
      OTHER: ['STORAGE_CLASS'],
    },
  },
  powerScale: {
    group: 'file',
    label: 'Dell PowerScale',
    one: 'Dell PowerScale storage',
    plural: 'Dell PowerScale storages',
    types: { DellPowerScale: 'File' },
    isAvailable: true,
    scannedBy: 'SCAN_DELL_POWER_SCALE',
    idsName: 'dellPowerScaleIds',
    scanCall: 'powerScales',
    listing: 'pages',
    scheduledBy: ['SCAN_ALL_DELL_POWER_SCALES', 'SCAN_DELL_POWER_SCALES'],
    hasDelta: true,
    canRelaunch: false,
    knows: ['CREATION_DATE'],
  },
  archiware: {
    group: 'archive',
    label: 'Archive storage',
    one: 'Archiware index',
    plural: 'Archiware indexes',
    types: { Archiware: 'Archiware', Archives: 'Archives' },
    isAvailable: true,
    bundle: 'archiwareP5',
    scannedBy: 'SCAN_ARCHIWARE',
    idsName: 'archiwareIds',
    scanCall: 'archiwares',
    listing: 'pages',
    scheduledBy: ['SCAN_ALL_ARCHIWARES', 'SCAN_ARCHIWARES'],
    hasDelta: true,
    canRelaunch: false,
    knows: ['CREATION_DATE', 'BACKUP_DATE'],
  },
} as const satisfies Record<SourceKind, SourceFacts>

/** The types of job that scan. */
export type ScanJobType = (typeof sources)[SourceKind]['scannedBy']

/** A kind of source with its facts, as code reads it that treats all kinds alike. */
export type Source = SourceFacts & { kind: SourceKind }
export const everySource: readonly Source[] = sourceKinds.map((kind) => ({ kind, ...(sources[kind] as SourceFacts) }))

const byType = new Map(everySource.flatMap((source) => Object.keys(source.types).map((type) => [type, source])))

/** The source behind a volume, by its type; undefined for a type that this version does not know. */
export const sourceOfType = (type: string): Source | undefined => byType.get(type)

/** True if a scan of a volume of this type learns a statistic that not all types have. */
export function isKnownOf(type: string, statistic: keyof StorageStatistics): boolean {
  const { knows = [], alsoKnows = {} } = sourceOfType(type) ?? {}
  return [...knows, ...(alsoKnows[type] ?? [])].includes(statistic)
}

/** In which group users find a volume of this type; what is not known is taken for an object storage. */
export const groupOfType = (type: string): StorageGroup => sourceOfType(type)?.group ?? 'object'

/** The types by which volumes of some kinds are known. */
export const typesOf = (isOne: (source: Source) => boolean): string[] =>
  everySource.filter(isOne).flatMap(({ types }) => Object.keys(types))

/** The kind of source that a schedule of this class scans, where it is one kind alone. */
export const sourceScheduledBy = (jobClass: ScannerClass): Source | undefined =>
  everySource.find(({ scheduledBy }) => scheduledBy.includes(jobClass))

/** Way of listing a volume of this type. */
export const listingOfType = (type: string): Listing => sourceOfType(type)?.listing ?? 'walk'

/** The product behind a volume of this type, by the name that its maker gives it; null where the type does not tell. */
export const productOfType = (type: string): string | null =>
  type === 'OTHER' || groupOfType(type) !== 'object' ? null : (sourceOfType(type)?.types[type] ?? null)
