import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Tokens } from './pages.ts'
import type { Changelists } from './platform/changelists.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Snapshots } from './platform/snapshots.ts'
import type { Sessions } from './sessions.ts'
import type { Switches } from './switches.ts'
import type { Tree } from './tree/tree.ts'

/** A quota of a directory. Sizes are in bytes. */
export type Quota = {
  path: string
  isContainer: boolean
  hard?: number
  soft?: number
  advisory?: number
  /** False until QuotaScan has finished. */
  isReady: boolean
  usage: { logical: number; physical: number; inodes: number }
}

/** Everything that the nodes of a simulated cluster share. */
export type Cluster = {
  clock: Clock
  tree: Tree
  switches: Switches
  faults: Faults
  tokens: Tokens
  sessions: Sessions
  snapshots: Snapshots
  jobs: Jobs
  changelists: Changelists
  quotas: Quota[]
}
