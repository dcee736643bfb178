import type { SimulatorOptions } from '#agent/simulator/options.ts'

const MiB = 1_024 * 1_024

/** Limits and switches of confirmed facts, which may change while the simulator runs. Sizes in bytes. */
const defaultBehavior = {
  /** Errors as a list, by fields, or as plain text. `mixed` names the fields of invalid bodies and lists other errors. */
  errorShape: 'mixed' as 'mixed' | 'list' | 'fields' | 'text',
  /** The `total` of lists is too low by this number. */
  totalLag: 0,
  /** Requests of a token within 20 s. */
  limitRequests: 1_000,
  /** Smallest part of S3 except the last one. */
  s3MinPartBytes: 5 * MiB,
  b2MinPartBytes: 5_000_000,
  /** Chunks of GCS except the last one are multiples of this. */
  gcsChunkBytes: 256 * 1_024,
  /** Largest body of one Put Blob or Put Block. */
  azureMaxBytes: 5_000 * MiB,
}
export type Behavior = typeof defaultBehavior

/**
 * Variants of facts that no public source confirms. They may change while the simulator runs. Defaults are the likely variants, and a
 * client has to work with all of them.
 */
const defaultReadings = {
  /** Pages that end after this number of objects get status 400. Scrolling has no limit. */
  deepPagingLimit: 10_000,
  /** Answer to a page after the last one of storages and their files. Collections answer 404. */
  pastLastPage: 404 as 404 | 'empty',
  /** Collections can be sorted by title, stay in the order of their creation, or refuse the field. */
  titleSort: 'sorted' as 'sorted' | 'ignored' | 'refused',
  /** Form of `Retry-After` in answers with status 429. */
  retryAfter: 'seconds' as 'seconds' | 'date' | 'none',
  /** Status of a file of a cloud storage that is created as CLOSED. */
  closedOnCreation: 'kept' as 'kept' | 'open' | 'refused',
  /** A file of 0 bytes of a cloud storage can be closed without an upload. */
  closesEmptyFiles: true,
  /** Files that the gateway doesn't register a second time: all registered ones, those of storages with `aggregate_identical_files`, or none. */
  gatewayRecognizes: 'all' as 'all' | 'by setting' | 'none',
  /** A second file set of one format on one storage gets status 409, or is created. */
  fileSetConflict: 'refused' as 'refused' | 'created',
  /** `GET` of an open file has new upload addresses. */
  fileShowsUploadUrl: true,
  /** Lifetime of upload addresses in simulated milliseconds. */
  uploadUrlMs: 3_600_000,
  /** Answer to a second completion of an S3 upload. */
  s3CompletedAgain: 'NoSuchUpload' as 'NoSuchUpload' | 'success',
  /** Large files of B2 accept parts in their order only, or in any. */
  b2PartOrder: 'ascending' as 'ascending' | 'any',
  /** Filter `path` of a storage's files: the whole path of a file, or its beginning. */
  pathFilter: 'whole' as 'whole' | 'prefix',
  /** Simulated time between the creation of an asset and its first appearance in searches. */
  searchDelayMs: 3_000,
}
export type Readings = typeof defaultReadings

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

/** Behavior and readings of a simulator. */
export const switchesOf = ({ behavior, readings }: IconikOptions) => ({
  behavior: { ...defaultBehavior, ...behavior },
  readings: { ...defaultReadings, ...readings },
})
