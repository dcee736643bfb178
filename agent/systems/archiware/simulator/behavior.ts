/** Course of a job, in simulated milliseconds. */
const defaultJob = {
  pendingMs: 500,
  startedMs: 500,
  runningMs: 2_000,
  /** Time in `stopped` between two halves of `running`. */
  stoppedMs: 0,
  /** Time in `unknown` after that. */
  unknownMs: 0,
  /** Time in `stopped` between a cancellation and `canceled`. */
  cancelMs: 500,
  ends: 'completed' as 'completed' | 'canceled' | 'terminated' | 'unknown',
  /** `success` becomes `exception` if a file failed. */
  completion: 'success' as 'success' | 'exception' | 'warning' | 'failure',
  /** This number of files, the last ones, is not processed, and the report says nothing about them. */
  skippedFiles: 0,
  /** Messages of files that can't be read or written, by their path on the client. The report has a line for each one. */
  failedFiles: {} as Record<string, string>,
  /** Number of files that were processed before a job fails, or ends early while it runs. */
  filesBeforeEnd: 0,
}
export type JobScript = typeof defaultJob

/**
 * Switches of the simulator, which may change while it runs. A switch for a fact that no public source confirms has the likely variant
 * as its default; tests of the client run over all of them.
 */
const defaults = {
  /** Calls of `general/` have this group in their path. */
  hasGroups: true,
  /** Encoding of header values: raw UTF-8 (or Latin-1), or percent-encoded UTF-8. */
  headerEncoding: 'plain' as 'plain' | 'percent',
  /** Status of calls that name an unknown index or plan. */
  unknownStatus: 404 as 404 | 500,
  booleans: 'text' as 'text' | 'number' | 'boolean',
  numbers: 'number' as 'number' | 'text',
  /** Spelling of plan properties: deletefiles, deleteFiles or DELETEFILES. */
  planProperties: 'lower' as 'lower' | 'camel' | 'upper',

  /** An inventory without a path lists the top level. */
  listsRoot: true,
  /** Field of an inventory entry with its volumes. */
  volumeField: 'volumes' as 'volume' | 'volumes' | 'volumeid' | 'none',
  volumeForm: 'text' as 'text' | 'list',
  fileType: 'File',
  /** Names in dumps have the caret form of the inventory, or else the bytes of the file system. */
  dumpsCaretNames: true,
  /** Simulated time that a dump takes. Half of its file is written meanwhile. */
  dumpMs: 1_000,
  /** The answer to a dump is sent at once, or when its file is complete. */
  dumpAnswer: 'when written' as 'at once' | 'when written',
  /** Shape of an entry's handle in `archive/entries`. */
  entryAnswer: 'ID' as 'ID' | 'handle' | 'list',

  /** Header that names the folder in the index, or `none` if the server has no such header. */
  indexRootHeader: 'indexroot',
  /** Archived paths are kept whole in the index, or else lose their leading directories. */
  keepsWholePaths: true,
  /** Handle of files that an incremental plan has archived before; `omit` leaves their entries out. */
  alreadyArchived: '<empty>' as '<empty>' | '' | 'handle' | 'omit',
  /** This number of requested paths, the last ones, is neither in the answer nor archived. */
  omittedEntries: 0,

  /** Field of a job that holds the description of its submission. */
  titleField: 'description' as 'description' | 'label',
  job: defaultJob,
}
export type Behavior = typeof defaults
export type BehaviorChanges = Partial<Omit<Behavior, 'job'>> & { job?: Partial<JobScript> }

export const behaviorOf = (changes: BehaviorChanges = {}): Behavior => ({
  ...defaults,
  ...changes,
  job: { ...defaultJob, ...changes.job },
})
