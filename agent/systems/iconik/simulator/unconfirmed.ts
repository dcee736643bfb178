/**
 * Variants of facts that no public source confirms. They may change while the simulator runs. Defaults are the likely variants, and a
 * client has to work with all of them.
 */
export type Readings = {
  /** Highest `per_page` of collections; their list declares none. */
  collectionsPerPage: number
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
  /** Property with the parts in the answer of `multipart_url/s3/part/`. */
  s3PartsProperty: 'parts' | 'objects'
  /** Answer to a second completion of an S3 upload. */
  s3CompletedAgain: 'NoSuchUpload' | 'success'
  /** Large files of B2 accept parts in their order only, or in any. */
  b2PartOrder: 'ascending' | 'any'
  /** Filter `path` of a storage's files: the whole path of a file, or its beginning. */
  pathFilter: 'whole' | 'prefix'
  /** Changes of a job that a user aborted get status 409, or keep it aborted. */
  abortedJob: 'refuses' | 'accepts'
  /** Simulated time between the creation of an asset and its first appearance in searches. */
  searchDelayMs: number
}

export const defaultReadings = (): Readings => ({
  collectionsPerPage: 100,
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
  s3PartsProperty: 'parts',
  s3CompletedAgain: 'NoSuchUpload',
  b2PartOrder: 'ascending',
  pathFilter: 'whole',
  abortedJob: 'refuses',
  searchDelayMs: 3_000,
})
