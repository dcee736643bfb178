/** Numbers and texts of failures. `{name}` stands for the file, tape, directory or parameter. */
const failures = {
  'unknown file': { number: 609, text: 'File {name} does not exist.' },
  'deleted file': { number: 610, text: 'File {name} was deleted. Use fsrecover.' },
  'no class': { number: 620, text: '{name} is not in a directory of a policy class.' },
  'foreign file': { number: 621, text: 'File {name} is on a foreign system.' },
  'no scratch media': { number: 630, text: 'No scratch media available to store {name}.' },
  'no copy': { number: 631, text: 'File {name} has no copy on media.' },
  'copies missing': { number: 632, text: 'Not all copies of {name} exist. Its disk copy was not removed.' },
  'changed file': { number: 633, text: 'File {name} changed while it was stored.' },
  'tape offline': { number: 640, text: 'Media of {name} is not available.' },
  'read error': { number: 641, text: 'Error reading the media of {name}.' },
  'write error': { number: 642, text: 'Error writing the media of {name}.' },
  'not on disk': { number: 643, text: 'No space on the file system for {name}.' },
  'target exists': { number: 650, text: 'File {name} already exists.' },
  'no target folder': { number: 651, text: 'The directory of {name} does not exist.' },
  'bad parameter': { number: 12, text: 'Invalid parameter: {name}.' },
  'unknown call': { number: 13, text: 'Unknown command: {name}.' },
  'unknown job': { number: 14, text: 'Job {name} does not exist.' },
  privilege: { number: 15, text: 'The user may not run {name}.' },
  interrupted: { number: 16, text: 'The command was interrupted before {name}.' },
}
export type Failure = keyof typeof failures

/**
 * Facts about the web services that no public source confirms, with their possible variants. The likely one is the default. They may
 * change while the simulator runs; tests of the client run over all of them.
 */
export const defaultReadings = () => ({
  /**
   * Name of a job's number in the first answer to an asynchronous call, and in the answer of `job/info`: `job` as in the documented
   * example, `jobId` as a number with states in title case, or `jobNumber` with all names and states in lower case.
   */
  jobNames: 'job' as 'job' | 'jobId' | 'jobNumber',
  /** Response to `mode=async`: a failed status, or status 400. An ignored mode is the same as sync. */
  asyncMode: 'accept' as 'accept' | 'refuse' | '400' | 'ignore',
  /** Response of `job/info` for an unknown number: a failed status, an empty list, or status 404. */
  unknownJob: 'failed' as 'failed' | 'empty' | '404',
  /** State of a job whose command failed for some of the files. */
  partialJobState: 'COMPLETED' as 'COMPLETED' | 'ERROR',
  /** `12-mar-2024 10:11:12` or `2024-03-12T10:11:12`. */
  dates: 'day-month-year' as 'day-month-year' | 'ISO',
  /** Word for tape in locations. */
  tapeWord: 'TAPE' as 'TAPE' | 'ARCHIVE',
  /** Files in one call, and bytes of a URL. More get status 414. */
  maxFiles: 40,
  maxUrlBytes: 6_144,
  numbers: 'number' as 'number' | 'text',
  /** Position of the status of the whole command. */
  resultAt: 'last' as 'last' | 'first',
  /** Number of a successful store or retrieval: 355, 390 and 347, or 0. */
  successNumbers: 'own' as 'own' | 'zero',
  /** `commandStatus` of a result with the number 355 or 390. */
  successStatus: 'completed',
  /** Result of a command with failed and successful files: failed, or the success of "1 out of 2" files. */
  partialResult: 'failed' as 'failed' | 'counted',
  /** Statuses before the result also name the files that succeeded. */
  listsSuccesses: false,
  /** `fsretrieve/new` needs the folder of the new path, creates it, or is not available. */
  retrieveNew: 'needs folder' as 'needs folder' | 'creates folder' | 'unavailable',
  /** Response to an unavailable call. */
  unknownCall: '404' as '404' | 'failed',
  /** Response to a user who may not change files: status 403, or a failed status. */
  missingPrivilege: '403' as '403' | 'failed',
  failures: { ...failures },
})
export type Readings = ReturnType<typeof defaultReadings>
