import type { SimulatorOptions } from '#agent/simulator/options.ts'

/** Limits and switches of confirmed facts, which may change while the simulator runs. Sizes in bytes. */
export type Behavior = {
  /** Errors as a list, by fields, or as plain text. `mixed` names the fields of invalid bodies and lists other errors. */
  errorShape: 'mixed' | 'list' | 'fields' | 'text'
  /** The `total` of lists is too low by this number. */
  totalLag: number
  /** Requests of a token within 20 s. */
  limitRequests: number
  /** Smallest part of S3 except the last one. */
  s3MinPartBytes: number
  b2MinPartBytes: number
  /** Chunks of GCS except the last one are multiples of this. */
  gcsChunkBytes: number
  /** Largest body of one Put Blob or Put Block. */
  azureMaxBytes: number
}

/**
 * Variants of facts that no public source confirms. They may change while the simulator runs. Defaults are the likely variants, and a
 * client has to work with all of them.
 */
export type Readings = {
  /** Pages that end after this number of objects get status 400. Scrolling has no limit. */
  deepPagingLimit: number
  /** Answer to a page after the last one of storages and their files. Collections answer 404. */
  pastLastPage: 404 | 'empty'
  /** Collections can be sorted by title, stay in the order of their creation, or refuse the field. */
  titleSort: 'sorted' | 'ignored' | 'refused'
  /** Form of `Retry-After` in answers with status 429. */
  retryAfter: 'seconds' | 'date' | 'none'
  /** Status of a file of a cloud storage that is created as CLOSED. */
  closedOnCreation: 'kept' | 'open' | 'refused'
  /** A file of 0 bytes of a cloud storage can be closed without an upload. */
  closesEmptyFiles: boolean
  /** Files that the gateway doesn't register a second time: all registered ones, those of storages with `aggregate_identical_files`, or none. */
  gatewayRecognizes: 'all' | 'by setting' | 'none'
  /** A second file set of one format on one storage gets status 409, or is created. */
  fileSetConflict: 'refused' | 'created'
  /** `GET` of an open file has new upload addresses. */
  fileShowsUploadUrl: boolean
  /** Lifetime of upload addresses in simulated milliseconds. */
  uploadUrlMs: number
  /** Answer to a second completion of an S3 upload. */
  s3CompletedAgain: 'NoSuchUpload' | 'success'
  /** Large files of B2 accept parts in their order only, or in any. */
  b2PartOrder: 'ascending' | 'any'
  /** Filter `path` of a storage's files: the whole path of a file, or its beginning. */
  pathFilter: 'whole' | 'prefix'
  /** Simulated time between the creation of an asset and its first appearance in searches. */
  searchDelayMs: number
}

/** Roles that calls of the simulator need. */
export const allRoles = [
  'can_read_assets',
  'can_read_collections',
  'can_read_files',
  'can_read_formats',
  'can_read_storages',
  'can_create_assets',
  'can_write_formats',
  'can_write_files',
  'can_write_collections',
  'can_create_transcode_jobs',
] as const

export type Role = (typeof allRoles)[number]

/** The upload host has a port of its own. */
export type IconikOptions = SimulatorOptions & {
  /** Roles of the token. By default, all of them. */
  roles?: Role[]
  behavior?: Partial<Behavior>
  /** Variants of unconfirmed facts. */
  readings?: Partial<Readings>
}

const MiB = 1_024 * 1_024

export const behaviorOf = ({ behavior }: IconikOptions): Behavior => ({
  errorShape: 'mixed',
  totalLag: 0,
  limitRequests: 1_000,
  s3MinPartBytes: 5 * MiB,
  b2MinPartBytes: 5_000_000,
  gcsChunkBytes: 256 * 1_024,
  azureMaxBytes: 5_000 * MiB,
  ...behavior,
})

export const readingsOf = ({ readings }: IconikOptions): Readings => ({
  deepPagingLimit: 10_000,
  pastLastPage: 404,
  titleSort: 'sorted',
  retryAfter: 'seconds',
  closedOnCreation: 'kept',
  closesEmptyFiles: true,
  gatewayRecognizes: 'all',
  fileSetConflict: 'refused',
  fileShowsUploadUrl: true,
  uploadUrlMs: 3_600_000,
  s3CompletedAgain: 'NoSuchUpload',
  b2PartOrder: 'ascending',
  pathFilter: 'whole',
  searchDelayMs: 3_000,
  ...readings,
})
