/** Settings of the cluster, and a choice for each fact that is not known for certain. All may change while it runs. Times are in seconds. */
export const defaultSwitches = {
  /** Newest version of the platform API. Below 8, changelists have no `entries`. */
  apiVersion: 21,
  /** `/platform/latest` is known. */
  hasLatest: true,

  inactiveLimit: 900,
  unauthorizedAs: 'html' as 'json' | 'html',
  sendsCsrfCookie: true,

  /** Services "Platform-API-External" and "RAN". */
  isPlatformOn: true,
  isNamespaceOn: true,
  license: 'Activated' as 'Activated' | 'Evaluation' | 'Expired' | 'Unlicensed',

  /** Options that may accompany `resume` in a directory listing. */
  resume: 'either' as 'either' | 'alone' | 'withOptions',
  tokenLife: Infinity,

  isChangelistJobEnabled: true,
  /** Time that a job waits before it starts, that each of its four phases takes, and that it is paused by its policy. */
  jobWait: 0,
  jobPhase: 0,
  jobPause: 0,
  jobOutcome: 'succeeded' as 'succeeded' | 'failed' | 'cancelled_user',
  /** Time for which a finished job is listed. */
  finishedJobLife: Infinity,

  /** A modified file is reported once, or once for each of its hard links. */
  hardLinks: 'each' as 'once' | 'each',
  /** Entries of a directory that moved into or out of the root: the directory, or also all below it. */
  movedAcrossRoot: 'directory' as 'directory' | 'subtree',
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
