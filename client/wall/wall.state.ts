import { proxy } from 'valtio'
import { dashboard } from '#events/dashboard.ts'
import { loginInfo } from '#events/users/session.ts'
import { wallSignIn } from '#events/wall.ts'
import { CallError, call, configureCalls } from '#client/app/call.ts'
import { goLive } from '#client/app/live/live.state.ts'
import { withoutToken } from './wallAddress.ts'

type Wall = {
  /** Access of this display; `failed` while the token exchange is retried. */
  access: 'opening' | 'open' | 'closed' | 'failed'
  /** True after the jobs were fetched. Before that, pushed jobs are incomplete. */
  hasJobs: boolean
}

/** State of the wall that is not pushed by the server, kept when the board changes. */
export const wall = proxy<Wall>({ access: 'opening', hasJobs: false })

const retryAfterMs = 5_000
/** Statuses that mean an invalid token. Other failures are temporary, such as rate limits. */
const refusals = [400, 401, 403]

/**
 * Exchanges the token in the URL for a session, removes it from the URL, and opens the live connection. Retried while
 * the server is unreachable; the token stays in the URL until then. Returns a function that closes the connection.
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
  // Sets the cookie of the cross-site token.
  await call(loginInfo, {})
  await call(wallSignIn, { body: { token } })
  history.replaceState(history.state, '', withoutToken(location.href))
}
