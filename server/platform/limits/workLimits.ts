import { Problem } from '#server/platform/problem.ts'
import type { WorkLimits } from './admission.ts'
import { aboveLimit } from './userLimits.ts'

/** Checks of passwords, by network: strangers leave the threads to signed-in users. */
const signIn = {
  kind: 'sign-in',
  // Each check of a password holds a thread and 32 MB.
  total: 2,
  waiting: 40,
  waitingPerKey: 10,
  refusal: () =>
    new Problem(429, 'Too many people are signing in. Try again in 5 seconds.', {
      code: 'busy-signing-in',
      retryAfterSeconds: 5,
    }),
}

/** Limits of all work that may have to wait. */
export const workLimits = {
  /** Every query. One user leaves connections to others. */
  query: { kind: 'query', perUser: 4 },
  /**
   * Each total is more than the default of one user; a backup takes one of the background queries for long. Keys are conditions:
   * the engine remembers where a condition matched nothing and skips that; concurrent queries would each read all of it.
   */
  heavyQuery: {
    kind: 'heavy query',
    total: 3,
    perUser: 'heavyQueriesPerUser',
    perKey: 1,
    // More than the largest screen has.
    waitingPerUser: 30,
    refusal: () => aboveLimit('heavyQueriesPerUser', '30 of your queries are waiting already.', 10),
  },
  backgroundQuery: { kind: 'background query', total: 3 },
  signIn,
  download: {
    kind: 'download',
    perUser: 'exportsPerUser',
    waitingPerUser: 8,
    timeoutMs: 60_000,
    refusal: (limits) =>
      aboveLimit('exportsPerUser', `You have ${limits?.exportsPerUser} downloads in progress, the maximum.`, 30),
  },
  /** A file with the results of a search, which takes a large part of the machine. More than two users may have; see `openTurn`. */
  searchFile: {
    kind: 'search file',
    total: 1,
    timeoutMs: 30_000,
    refusal: () =>
      new Problem(503, 'Other downloads are in progress. Try again in a minute.', {
        code: 'exportBusy',
        retryAfterSeconds: 60,
      }),
  },
  /** Each takes a core. */
  document: { kind: 'document', total: 2 },
  /** Each holds one of the 20 connections to Postgres and needs others. */
  taskStart: { kind: 'task start', total: 8 },
} as const satisfies Record<string, WorkLimits>
