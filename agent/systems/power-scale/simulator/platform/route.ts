import type { Cluster } from '../cluster.ts'
import type { Answer } from '../errors.ts'
import type { Incoming } from '../requests.ts'
import type { Privilege } from '../sessions.ts'

export type Call = { cluster: Cluster; request: Incoming; params: readonly string[]; query: URLSearchParams }

export type Route = {
  method: string
  /** Address below `/platform/<version>/`. A part that starts with a colon is a parameter. */
  path: string
  /** First version of the API that has it. */
  since?: number
  needs?: Privilege
  /** Needs the license of SnapshotIQ. */
  isLicensed?: boolean
  /** Arguments that the address may have, besides `resume` where `limit` is one. */
  query?: readonly string[]
  answer(call: Call): Answer
}
