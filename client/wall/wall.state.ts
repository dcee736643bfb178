import { proxy } from 'valtio'
import { dashboard } from '#events/dashboard.ts'
import { loginInfo } from '#events/users/session.ts'
import { wallSignIn } from '#events/wall.ts'
import { CallError, call, configureCalls } from '#client/app/call.ts'
import { goLive } from '#client/app/live/live.state.ts'
import { withoutToken } from './wallAddress.ts'

type Wall = {
  /** Whether this display may see anything; `failed` while the exchange of its token is tried again. */
  access: 'opening' | 'open' | 'closed' | 'failed'
  /** Whether the jobs were read: before, what was pushed is not all of them. */
  hasJobs: boolean
}

/** What the wall is besides what the server pushes, kept while its boards come and go. */
export const wall = proxy<Wall>({ access: 'opening', hasJobs: false })

const retryAfterMs = 5_000
/** What says that a token opens nothing; any other failure may pass, as when too many asked at once. */
const refusals = [400, 401, 403]

/**
 * Exchanges the token of the address for a session, takes it out of the address, and opens the socket. While the server cannot be
 * reached, this is retried, and the token stays in the address. Returns a function that closes the socket.
 */
export function openWall(token: string | undefined): () => void {
  let retry: ReturnType<typeof setTimeout> | undefined
  let leave = () => {}
  let isOver = false
  const attempt = async () => {
    try {
      if (token !== undefined) await exchange(token)
      if (isOver) return
      wall.access = 'open'
      leave = goLive(() => void call(dashboard, {}).catch(() => {}))
    } catch (error) {
      if (isOver) return
      const isRefused = error instanceof CallError && refusals.includes(error.status)
      wall.access = isRefused ? 'closed' : 'failed'
      if (!isRefused) retry = setTimeout(() => void attempt(), retryAfterMs)
    }
  }
  configureCalls({ signedOut: () => void (wall.access = 'closed') })
  void attempt()
  return () => {
    isOver = true
    clearTimeout(retry)
    leave()
  }
}

async function exchange(token: string) {
  // Brings the cross-site token.
  await call(loginInfo, {})
  await call(wallSignIn, { body: { token } })
  history.replaceState(history.state, '', withoutToken(location.href))
}
