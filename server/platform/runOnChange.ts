import type { ChangeTopic } from '#events/changes.ts'
import type { LiveEvent } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from './platform.ts'
import { type Running, runEvery } from './runEvery.ts'

/** Milliseconds between checks for announced changes. */
const checkIntervalMs = 500
/** Milliseconds between runs without an announced change, for changes announced while NATS was away. */
const idleIntervalMs = 10 * 60_000

/** Milliseconds until failed work is tried again. */
const retryDelayMs = 5_000

type Work = (signal: AbortSignal, isOutrun: () => boolean) => Promise<unknown>

/**
 * Runs work at once, soon after any server announced a change of one of the topics, and every ten minutes. The work
 * receives a signal for the server's stop, and a function that returns whether something changed since it started.
 */
export function runOnChange(
  { nats, log }: Pick<Platform, 'nats' | 'log'>,
  { topics, failed }: { topics: readonly ChangeTopic[]; failed: string },
  work: Work,
): Running {
  const stopping = new AbortController()
  let isDue = true
  let dueAt = 0
  const heard = nats.connection.subscribe(subjects.live, {
    callback: (error, message) => {
      const changed = error ? [] : changedTopics(message.string())
      if (topics.some((topic) => changed.includes(topic))) isDue = true
    },
  })
  const round = async () => {
    if (stopping.signal.aborted || (!isDue && Date.now() < dueAt)) return
    isDue = false
    dueAt = Date.now() + retryDelayMs
    await work(stopping.signal, () => isDue)
    dueAt = Date.now() + idleIntervalMs
  }
  const running = runEvery(checkIntervalMs, round, failed, log)
  return {
    async stop() {
      heard.unsubscribe()
      stopping.abort(new Error('The server is stopping'))
      await running.stop()
    },
  }
}

/** Topics of a live event; none if the message isn't one. */
function changedTopics(message: string): readonly ChangeTopic[] {
  try {
    const event = JSON.parse(message) as LiveEvent
    return event.type === 'changed' ? event.topics : []
  } catch {
    return []
  }
}
