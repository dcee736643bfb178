import { applyFlush } from '#server/content/snapshots/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerFlushes } from './answerFlushes.ts'
import { answerFollow } from './answerFollow.ts'
import type { CollectOptions } from './flushes.ts'
import { watchFollowed } from './watchFollowed.ts'

export { livePart, readLiveStates } from './liveStates.ts'
export { feedRoutes } from './routes.ts'

/** Milliseconds between two notices to browsers that live states changed. */
const noticeEveryMs = 1_000

/** Has agents follow storages, and shows the changes that they report. */
export function startFeeds(platform: Platform, options: Partial<Omit<CollectOptions, 'shown'>> = {}): Running {
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
    watchFollowed(platform),
    answerFollow(platform, changed),
    answerFlushes(platform, { apply: applyFlush, ...options, shown: changed }),
  ]
  return {
    async stop() {
      for (const part of parts) await part.stop()
      clearTimeout(due)
    },
  }
}
