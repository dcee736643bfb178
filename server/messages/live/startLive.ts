import type { Server } from 'node:http'
import { beatIntervalMs, livePath } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import { acceptSockets } from '#server/platform/http/socket.ts'
import { Hub } from './hub.ts'
import { randomUUID } from 'node:crypto'
import { hearOfAppend, onAppended } from '#server/platform/log/eventLog.ts'
import type { Nats } from '#server/platform/nats/nats.ts'

type Deps = Pick<Platform, 'config' | 'db' | 'nats' | 'log'>

/** Sends the replicas' events on NATS to every connected browser, until stopped. Throws if a store is down. */
export async function startLive(deps: Deps, http: Server): Promise<{ stop(): Promise<void> }> {
  const { connection } = deps.nats
  const hub = new Hub(deps)
  const heard = connection.subscribe(subjects.live, {
    callback: (error, message) => error ?? hub.publish(message.string()),
  })
  const stopHearingAppends = subscribeToAppends(deps.nats, () => hub.wake())
  // Subscribed before reading, so nothing between the two is missed.
  await connection.flush()
  await hub.start()
  let isOver = false
  const watchConnection = async () => {
    for await (const { type } of connection.status()) {
      if (isOver) return
      if (type === 'reconnect') await hub.resync()
    }
  }
  void watchConnection()
  const beating = setInterval(() => hub.beat(), beatIntervalMs)
  const sockets = acceptSockets(http, livePath, deps, (socket, visitor) => hub.accept(socket, visitor))
  return {
    async stop() {
      isOver = true
      clearInterval(beating)
      heard.unsubscribe()
      stopHearingAppends()
      sockets.stop()
      await hub.stop()
    },
  }
}

/**
 * Calls `wake` when the event log grows: at once for appends of this process, which also notifies the other replicas,
 * and on their notifications. A lost message only costs time, because the log is checked each second anyway.
 */
export function subscribeToAppends({ connection }: Pick<Nats, 'connection'>, wake: () => void): () => void {
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
    callback(error, message) {
      if (error || message.string() === ownName) return
      wake()
      hearOfAppend()
    },
  })
  return () => {
    stopHearing()
    heard.unsubscribe()
  }
}
