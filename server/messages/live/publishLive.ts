import type { LiveEvent } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import type { Nats } from '#server/platform/nats/nats.ts'

/** Sends an event to all replicas. Never throws: a browser that misses it gets the new state when NATS returns. */
export const publishLive =
  ({ connection }: Pick<Nats, 'connection'>) =>
  (event: LiveEvent): void => {
    if (connection.isClosed() || connection.isDraining()) return
    try {
      connection.publish(subjects.live, JSON.stringify(event))
    } catch {
      // Larger than a message may be: browsers read the dashboard again.
      connection.publish(subjects.live, JSON.stringify({ type: 'changed', topics: ['dashboard'] } satisfies LiveEvent))
    }
  }
