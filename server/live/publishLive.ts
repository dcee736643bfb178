import type { LiveEvent } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import type { Nats } from '#server/platform/nats/nats.ts'

/** Says to all replicas what happened. Never throws: a browser that misses it is told anew when NATS returns. */
export const publishLive =
  ({ connection }: Pick<Nats, 'connection'>) =>
  (event: LiveEvent): void => {
    if (connection.isClosed() || connection.isDraining()) return
    try {
      connection.publish(subjects.live, JSON.stringify(event))
    } catch {
      // More than a message holds: whoever shows it reads it anew.
      connection.publish(subjects.live, JSON.stringify({ type: 'changed', topics: ['dashboard'] } satisfies LiveEvent))
    }
  }
