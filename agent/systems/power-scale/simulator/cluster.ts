import { newChangelists } from './changelists.ts'
import type { Clock } from '#agent/simulator/clock.ts'
import { newJobs } from './jobs.ts'
import { newTokens } from './pages.ts'
import { Sessions, type User } from './sessions.ts'
import { newSnapshots } from './snapshots.ts'
import type { Switches } from './switches.ts'
import { Tree } from './tree/tree.ts'

/** A quota of a directory. Sizes are in bytes. */
export type Quota = {
  path: string
  isContainer: boolean
  hard?: number
  /** False until QuotaScan has finished. */
  isReady: boolean
  usage: { logical: number; physical: number; inodes: number }
}

/** Everything that a simulated cluster has. */
export type Cluster = ReturnType<typeof newCluster>

export function newCluster(users: readonly User[], switches: Switches, clock: Clock) {
  const tree = new Tree(clock)
  const snapshots = newSnapshots(tree, clock)
  const changelists = newChangelists(switches)
  const jobs = newJobs(clock, switches, snapshots, changelists)
  const sessions = new Sessions(users, clock, switches)
  const quotas: Quota[] = []
  return { clock, tree, switches, tokens: newTokens(clock, switches), sessions, snapshots, jobs, changelists, quotas }
}
