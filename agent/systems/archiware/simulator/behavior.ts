/**
 * Switches of the simulator, which may change while it runs. A switch for a fact that no public source confirms has the likely variant
 * as its default; tests of the client run over all of them.
 */
export type Behavior = {
  /** Delay of each answer in milliseconds of real time; a function gets calls such as `GET archive/indexes`. */
  latencyMs: number | ((call: string) => number)
  /** Requests to an IP address fail like a wrong password. */
  needsHostName: boolean
  /** Calls of `general/` have this group in their path. */
  hasGroups: boolean
  /** Encoding of header values: raw UTF-8 (or Latin-1), or percent-encoded UTF-8. */
  headerEncoding: 'plain' | 'percent'
  /** Status of calls that name an unknown index or plan. */
  unknownStatus: 404 | 500
  booleans: 'text' | 'number' | 'boolean'
  numbers: 'number' | 'text'
  /** Spelling of plan properties: deletefiles, deleteFiles or DELETEFILES. */
  planProperties: 'lower' | 'camel' | 'upper'

  /** An inventory without a path lists the top level. */
  listsRoot: boolean
  /** Field of an inventory entry with its volumes. */
  volumeField: 'volume' | 'volumes' | 'volumeid' | 'none'
  volumeForm: 'text' | 'list'
  fileType: string
  /** Names in dumps have the caret form of the inventory, or else the bytes of the file system. */
  dumpsCaretNames: boolean
  /** Simulated time that a dump takes. Half of its file is written meanwhile. */
  dumpMs: number
  /** The answer to a dump is sent at once, or when its file is complete. */
  dumpAnswer: 'at once' | 'when written'
  jobInventoryMethod: 'GET' | 'PUT'
  /** Shape of an entry's handle in `archive/entries`. */
  entryAnswer: 'ID' | 'handle' | 'list'

  /** Header that names the folder in the index, or `none` if the server has no such header. */
  indexRootHeader: string
  /** Archived paths are kept whole in the index, or else lose their leading directories. */
  keepsWholePaths: boolean
  /** Metadata as [{"key":"user1","value":"x"}] or as {"user1":"x"}. An empty list always passes. */
  metaShape: 'list' | 'object'
  unknownKeys: 'skip' | 'refuse'
  disabledPlan: 'refuse' | 'accept'
  /** Handle of files that an incremental plan has archived before; `omit` leaves their entries out. */
  alreadyArchived: '<empty>' | '' | 'handle' | 'omit'
  /** This number of requested paths, the last ones, is neither in the answer nor archived. */
  omittedEntries: number
  /** Jobs submitted without `time: now` wait for the plan's schedule, or else start immediately. */
  withoutTime: 'schedule' | 'start'
  /** Simulated time between the end of an archive job and its entries in the index. */
  indexDelayMs: number

  /** Files that are restored without another folder have the path that they had on the client, or that of the index. */
  restoresTo: 'client path' | 'index path'

  /** Field of a job that holds the description of its submission. */
  titleField: 'description' | 'label'
  /** Answer to the cancellation of a scheduled job. */
  deleteScheduled: 'refuse' | 'cancel'
  job: JobScript
}

/** Course of a job, in simulated milliseconds. */
export type JobScript = {
  scheduledMs: number
  pendingMs: number
  startedMs: number
  runningMs: number
  /** Time in `stopped` between two halves of `running`. */
  stoppedMs: number
  /** Time in `unknown` after that. */
  unknownMs: number
  /** Time in `stopped` between a cancellation and `canceled`. */
  cancelMs: number
  ends: 'completed' | 'canceled' | 'terminated' | 'unknown'
  /** `success` becomes `exception` if a file failed. */
  completion: 'success' | 'exception' | 'warning' | 'failure'
  /** This number of files, the last ones, is not processed, and the report says nothing about them. */
  skippedFiles: number
  /** Messages of files that can't be read or written, by their path on the client. The report has a line for each one. */
  failedFiles: Record<string, string>
  /** Number of files that were processed before a job fails, or ends early while it runs. */
  filesBeforeEnd: number
}

export const defaultBehavior = (): Behavior => ({
  latencyMs: 0,
  needsHostName: false,
  hasGroups: true,
  headerEncoding: 'plain',
  unknownStatus: 404,
  booleans: 'text',
  numbers: 'number',
  planProperties: 'lower',
  listsRoot: true,
  volumeField: 'volumes',
  volumeForm: 'text',
  fileType: 'File',
  dumpsCaretNames: true,
  dumpMs: 1_000,
  dumpAnswer: 'when written',
  jobInventoryMethod: 'PUT',
  entryAnswer: 'ID',
  indexRootHeader: 'indexroot',
  keepsWholePaths: true,
  metaShape: 'list',
  unknownKeys: 'skip',
  disabledPlan: 'refuse',
  alreadyArchived: '<empty>',
  omittedEntries: 0,
  withoutTime: 'schedule',
  indexDelayMs: 3_000,
  restoresTo: 'client path',
  titleField: 'description',
  deleteScheduled: 'refuse',
  job: {
    scheduledMs: 3_600_000,
    pendingMs: 500,
    startedMs: 500,
    runningMs: 2_000,
    stoppedMs: 0,
    unknownMs: 0,
    cancelMs: 500,
    ends: 'completed',
    completion: 'success',
    skippedFiles: 0,
    failedFiles: {},
    filesBeforeEnd: 0,
  },
})
