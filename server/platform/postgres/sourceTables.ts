import type { Generated, JSONColumnType } from 'kysely'
import type { Pace } from '#events/contract/pace.ts'
import type { LiveState } from '#events/feeds/liveState.ts'
import type { BucketType, SignIn } from '#events/sources/buckets.ts'
import type { PolicyActions } from '#events/sources/fileStorages.ts'
import type { SourceKind } from '#events/sources/kinds.ts'
import type { ShareType } from '#events/sources/mountRules.ts'
import type { SizeBasis } from '#events/contract/sizeBasis.ts'

/** Tables of each kind of source: that of its columns beyond `volumes`, and that of the credentials that its rows name. */
export const tablesOfSources: Record<
  SourceKind,
  { details: DetailsTable; credentials: keyof SourceTables } | undefined
> = {
  fileStorage: undefined,
  networkShare: { details: 'networkVolumes', credentials: 'networkCredentials' },
  bucket: { details: 'buckets', credentials: 'bucketCredentials' },
  powerScale: { details: 'powerScales', credentials: 'powerScaleCredentials' },
  archiware: { details: 'archiwares', credentials: 'archiwareCredentials' },
}

/** Tables with the columns of one kind of source. */
export type DetailsTable = {
  [T in keyof SourceTables]: SourceTables[T] extends { volumeId: number; credentialId: unknown } ? T : never
}[keyof SourceTables]

/** The row of each storage, columns of each kind of source beyond it, of each kind of credentials, and of mappings of paths. */
export type SourceTables = {
  volumes: {
    id: Generated<number>
    name: string
    type: Generated<string>
    path: string
    agentId: Generated<number>
    scanType: Generated<string>
    ignoredPaths: Generated<string[]>
    indexFolderOnlyPaths: Generated<string[]>
    crossFileSystems: Generated<boolean>
    policyActions: Generated<PolicyActions>
    followsChanges: Generated<boolean>
    readMedia: Generated<boolean>
    sizeBasis: Generated<SizeBasis>
    /** Null keeps the default limits. */
    pace: Generated<Pace | null>
    committedScan: number | null
    generation: number | null
    layers: Generated<number[]>
    createdAt: Generated<Date>
    deletedAt: Date | null
    storagePriceId: number | null
  }
  /** States of storages between their scans. */
  liveVolumes: {
    volumeId: number
    session: string
    baseScan: number
    generation: number
    flush: Generated<number>
    begunAt: Generated<Date>
    state: Generated<'LIVE' | 'UNAVAILABLE'>
    reason: string | null
    since: Date | null
    behindMs: number | null
    asOf: Date | null
    seenAt: Date | null
    missed: JSONColumnType<NonNullable<LiveState['missed']>> | null
    settings: string | null
  }
  networkCredentials: {
    id: Generated<number>
    name: string
    username: string
    password: string
    domain: string
    options: string
    hosts: Generated<string[]>
    enteredAt: Generated<Date>
  }
  networkVolumes: {
    id: Generated<number>
    volumeId: number
    type: ShareType
    host: string
    shareName: string
    options: string
    credentialId: number | null
  }
  bucketCredentials: {
    id: Generated<number>
    name: string
    type: BucketType
    accessKey: string
    privateKey: string
    sessionToken: Generated<string>
    signIn: Generated<SignIn>
    url: string
  }
  buckets: {
    id: Generated<number>
    volumeId: number
    name: string
    region: string
    credentialId: number | null
    path: Generated<string>
    requestsPerSecond: number | null
    countsVersions: Generated<boolean>
    inventory: Generated<string>
    prefix: Generated<string>
    requesterPays: Generated<boolean>
    teamSpace: Generated<boolean>
    queue: Generated<string>
  }
  archiwareCredentials: {
    id: Generated<number>
    name: string
    username: string
    password: string
    url: string
    certificateFingerprint: string
  }
  archiwares: {
    id: Generated<number>
    volumeId: number
    indexId: string
    path: string
    credentialId: number | null
  }
  archiwareMappings: { id: Generated<number>; volumeId: number; dataintellPath: string; archiwarePath: string }
  powerScaleCredentials: {
    id: Generated<number>
    name: string
    username: string
    password: string
    hosts: Generated<string[]>
    enteredAt: Generated<Date>
  }
  powerScales: {
    id: Generated<number>
    volumeId: number
    host: string
    path: string
    credentialId: number | null
    fullSnapshotDays: number
    deltaSnapshotDays: number
    certificateFingerprint: string
  }
  storageManagerConfigs: {
    id: Generated<number>
    name: string
    host: string
    username: string
    password: string
    certificateFingerprint: string
  }
  storageManagerMappings: {
    id: Generated<number>
    volumeId: number
    storageManagerConfigId: number
    dataintellPath: string
    storageManagerPath: string
  }
  sodaMappings: {
    id: Generated<number>
    volumeId: number
    dataintellPath: string
    sodaStorageId: string
    sodaPath: string
  }
}
