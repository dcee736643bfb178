/** Settings of the cluster, and a choice for each fact that is not known for certain. All may change while it runs. Times are in seconds. */
export const defaultSwitches = {
  release: '9.8.0.0',
  /** Newest version of the platform API. Below 8, changelists have `lins` and no `entries`. */
  apiVersion: 21,
  /** `/platform/latest` is known. */
  hasLatest: true,

  absoluteLimit: 14_400,
  inactiveLimit: 900,
  maxSessions: 50,
  /** Wrong passwords after which a user can't sign in. */
  maxFailedLogins: 10,
  unauthorizedAs: 'html' as 'json' | 'html',
  sendsCsrfCookie: true,
  acceptsBasic: false,

  /** Services "Platform-API-External" and "RAN". */
  isPlatformOn: true,
  isNamespaceOn: true,
  license: 'Activated' as 'Activated' | 'Evaluation' | 'Expired' | 'Unlicensed',

  /** Options that may accompany `resume` in a directory listing. */
  resume: 'either' as 'either' | 'alone' | 'withOptions',
  tokenLife: Infinity,
  containerPath: 'snapshot' as 'snapshot' | 'live',
  /** Unit of `blocks`, in bytes. */
  blockUnit: 512 as 512 | 8_192,
  largeQueryStatus: 413 as 413 | 400,

  /** Time for which a deleted snapshot is listed, without a name. */
  deletingTime: 0,
  /** New snapshots are described without their name, as by very old releases. */
  omitsSnapshotName: false,

  isChangelistJobEnabled: true,
  /** Time that a job waits before it starts, that each phase takes, and that it is paused by its policy. */
  jobWait: 0,
  jobPhase: 0,
  jobPause: 0,
  jobOutcome: 'succeeded' as 'succeeded' | 'failed' | 'failed_not_retried' | 'cancelled_user' | 'cancelled_system',
  /** Time for which a finished job is listed. */
  finishedJobLife: Infinity,

  /** A changelist that is being built is listed with the suffix `_inprog`. */
  listsUnfinishedChangelists: true,
  changelistStatus: 'ready',
  maxEntriesOfPage: 10_000,
  /** A modified file is reported once, or once for each of its hard links. */
  hardLinks: 'each' as 'once' | 'each',
  /** Entries of a directory that moved into or out of the root: the directory, or also all below it. */
  movedAcrossRoot: 'directory' as 'directory' | 'subtree',
  /** `lins` includes removed entries with their old paths. */
  linsOfRemoved: true,
  /** One in this number of added entries has no path, or also of all others but the root. */
  unresolvedPathEvery: Infinity,
  unresolvedPathOf: 'added' as 'added' | 'all',
  /** An unresolved path is empty with `ENTRY_PATH_LOOKUP_REQ`, empty without it, or left out. */
  unresolvedPathAs: 'flagged' as 'flagged' | 'empty' | 'missing',

  capacity: { totalBytes: 400e12, availableBytes: 150e12 },
  quotaUsage: 'new' as 'old' | 'new',
  /** Time that passes with each request. */
  timeOfRequest: 0,
}
export type Switches = typeof defaultSwitches
