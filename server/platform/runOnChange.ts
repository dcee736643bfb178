import type { ChangeTopic } from '#events/changes.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from './platform.ts'
import { type Running, runEvery } from './runEvery.ts'

/** How often it is looked whether something was said to have changed, in milliseconds. */
const everyMs = 500
/** How often there is work that nobody asked for, as after a change that was said while NATS was away, in milliseconds. */
const unaskedEveryMs = 10 * 60_000

type Work = (signal: AbortSignal, isOutrun: () => boolean) => Promise<unknown>

/**
 * Does something at once, soon after any server said that one of some topics changed, and every ten minutes besides. The work is told
 * when the server stops, and may ask whether something changed since it began.
 */
export function runOnChange(
  { nats, log }: Pick<Platform, 'nats' | 'log'>,
  { topics, failed }: { topics: readonly ChangeTopic[]; failed: string },
  work: Work,
): Running {
  const stopping = new AbortController()
  let isDue = true
  let workedAt = 0
  const heard = nats.connection.subscribe(subjects.live, {
    callback: (error, message) => {
      if (!error && topics.some((topic) => message.string().includes(`"${topic}"`))) isDue = true
    },
  })
  const round = async () => {
    if (stopping.signal.aborted || (!isDue && Date.now() - workedAt < unaskedEveryMs)) return
    isDue = false
    workedAt = Date.now()
    await work(stopping.signal, () => isDue)
  }
  const running = runEvery(everyMs, round, failed, log)
  return {
    async stop() {
      heard.unsubscribe()
      stopping.abort(new Error('The server is stopping'))
      await running.stop()
    },
  }
}
