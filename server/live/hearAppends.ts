import { randomUUID } from 'node:crypto'
import { subjects } from '#events/subjects.ts'
import { onAppended } from '#server/platform/follow.ts'
import type { Nats } from '#server/platform/nats.ts'

/**
 * Calls `wake` when the event log grew: at once for appends of this process, which it tells the other replicas of, and for
 * theirs when they tell. A message that is lost costs nothing but time, for the log is looked at each second in any case.
 */
export function hearAppends({ connection }: Pick<Nats, 'connection'>, wake: () => void): () => void {
  const ownName = randomUUID()
  let isTelling = false
  const tell = () => {
    isTelling = false
    if (!connection.isClosed() && !connection.isDraining()) connection.publish(subjects.appended, ownName)
  }
  const stopHearing = onAppended(() => {
    wake()
    if (!isTelling) setImmediate(tell)
    isTelling = true
  })
  const heard = connection.subscribe(subjects.appended, {
    callback: (error, message) => void (error ?? (message.string() !== ownName && wake())),
  })
  return () => {
    stopHearing()
    heard.unsubscribe()
  }
}
