import type { Changelists } from './changelists.ts'
import type { Clock } from './clock.ts'
import type { Jobs } from './jobs.ts'
import type { Tokens } from './pages.ts'
import type { Sessions } from './sessions.ts'
import type { Snapshots } from './snapshots.ts'
import type { Switches } from './switches.ts'
import type { Tree } from './tree/tree.ts'

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
export type Cluster = {
  clock: Clock
  tree: Tree
  switches: Switches
  tokens: Tokens
  sessions: Sessions
  snapshots: Snapshots
  jobs: Jobs
  changelists: Changelists
  quotas: Quota[]
}
