import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerFlushes } from './answerFlushes.ts'
import { answerFollow } from './answerFollow.ts'
import type { Sessions } from './sessions.ts'
import { watchFollowed } from './watchFollowed.ts'

export { livePart, readLiveStates } from './liveStates.ts'
export { feedRoutes } from './routes.ts'

/** Milliseconds between two notices to browsers that live states changed. */
const noticeEveryMs = 1_000

/** Has agents follow storages, and shows the changes that they report. `maxBytes`: of blocks in memory. */
export function startFeeds(platform: Platform, sessions: Sessions, maxBytes?: number): Running {
  let due: NodeJS.Timeout | undefined
  let noticedAt = 0
  const notify = () => {
    due = undefined
    noticedAt = performance.now()
    platform.live({ type: 'changed', topics: ['live'] })
  }
  const changed = () => {
    due ??= setTimeout(notify, Math.max(0, noticedAt + noticeEveryMs - performance.now()))
  }
  const parts = [
    watchFollowed(platform, sessions),
    answerFollow(platform, { sessions, changed }),
    answerFlushes(platform, { sessions, shown: changed, ...(maxBytes !== undefined && { maxBytes }) }),
  ]
  return {
    async stop() {
      for (const part of parts) await part.stop()
      clearTimeout(due)
    },
  }
}
