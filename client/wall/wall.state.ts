import { proxy, ref } from 'valtio'
import { type Dashboard, dashboard, evolveDashboard, isOfDashboard } from '#events/dashboard.ts'
import type { JobRow } from '#events/job-calls.ts'
import { loginInfo } from '#events/session.ts'
import { wallSignIn } from '#events/wall.ts'
import { CallError, call, callBy } from '../app/call.ts'
import type { Fold } from '../app/live/followers.ts'
import { goLive } from '../app/live/live.state.ts'
import { type Jobs, foldRows } from './jobsOfWall.ts'
import { withoutToken } from './wallAddress.ts'

type Wall = {
  /** Whether this display may see anything; `failed` while the exchange of its token is tried again. */
  access: 'opening' | 'open' | 'closed' | 'failed'
  dashboard: Dashboard | undefined
  jobs: Jobs | undefined
  /** When the server last told of something that happened. */
  eventAt: number | undefined
}

/** All that the wall shows, kept while its boards come and go. */
export const wall = proxy<Wall>({ access: 'opening', dashboard: undefined, jobs: undefined, eventAt: undefined })

const tryAgainAfter = 5_000
/** What says that a token opens nothing; any other failure may pass, as when too many asked at once. */
const refusals = [400, 401, 403]

/**
 * Exchanges the token of the address for a session, takes it out of the address, and opens the socket. A server that cannot be
 * reached is asked again for ever, and the token stays in the address for as long.
 */
export async function openWall(token: string | undefined): Promise<void> {
  callBy({ signedOut: () => void (wall.access = 'closed') })
  try {
    if (token !== undefined) await exchange(token)
    wall.access = 'open'
    goLive(() => void call(dashboard, {}).catch(() => {}))
  } catch (error) {
    const isRefused = error instanceof CallError && refusals.includes(error.status)
    wall.access = isRefused ? 'closed' : 'failed'
    if (!isRefused) setTimeout(() => void openWall(token), tryAgainAfter)
  }
}

async function exchange(token: string) {
  // Brings the cross-site token.
  await call(loginInfo, {})
  await call(wallSignIn, { body: { token } })
  history.replaceState(history.state, '', withoutToken(location.href))
}

export const foldDashboard: Fold = (message) => {
  wall.eventAt = Date.now()
  if (message.type === 'state') {
    if (message.state && 'storages' in message.state) noteDashboard(message.state)
    return
  }
  let { dashboard } = wall
  for (const event of message.events) {
    if (dashboard && isOfDashboard(event)) dashboard = evolveDashboard(dashboard as Dashboard, event)
  }
  if (dashboard) noteDashboard(dashboard as Dashboard)
}

export function noteDashboard(dashboard: Dashboard): void {
  wall.dashboard = ref(dashboard)
  wall.access = 'open'
}

/** What a `state` says may have been missed is read anew with all else that is shown. */
export const foldJobs: Fold = (message) => {
  if (message.type === 'state') return
  const rows = message.events.flatMap((event) => (event.type === 'jobs' ? event.jobs : []))
  if (rows.length === 0) return
  wall.eventAt = Date.now()
  if (wall.jobs) noteJobs(rows)
}

export function noteJobs(rows: readonly JobRow[]): void {
  const known = (wall.jobs as Jobs | undefined) ?? new Map()
  const jobs = foldRows(known, rows)
  if (jobs !== wall.jobs) wall.jobs = ref(jobs)
}
