import { readOutside } from '#events/contract/readOutside.ts'
import { Heartbeat, type HeartbeatAnswer } from '#events/agents.ts'
import { isReplyTo, readAgentSubject, subjects } from '#events/subjects.ts'
import { admitRun } from '#server/workers/agent-runs/index.ts'
import type { Platform } from '#server/platform/platform.ts'

/** The last time each task was worked on, as far as this process knows; milliseconds of the clock, `Infinity` while NATS is away. */
export type Leases = { lastWorkedOn(taskId: number): number }

/**
 * Receives the agents' heartbeats: answers whether the sender holds its agent's key, and if so renews the leases of its
 * tasks.
 */
export function startPresence({ db, nats, log }: Platform): Leases & { stop(): Promise<void> } {
  let listeningSince = Date.now()
  const worked = new Map<number, number>()
  const accepted = new Map<number, string>()

  const admit = async (id: number, heartbeat: Heartbeat): Promise<HeartbeatAnswer | undefined> => {
    try {
      const answer = await admitRun(db, id, heartbeat, listeningSince)
      if (answer?.type === 'accepted') accepted.set(id, heartbeat.run)
      else if (accepted.get(id) === heartbeat.run) accepted.delete(id)
      return answer
    } catch (error) {
      log.warn({ error, agent: id }, 'could not process a heartbeat')
      return undefined
    }
  }
  const subscription = nats.connection.subscribe(subjects.allHeartbeats)
  const listening = (async () => {
    for await (const message of subscription) {
      const heartbeat = readHeartbeat(message)
      const id = readAgentSubject(message.subject)
      if (id === undefined || !heartbeat) continue
      const answer = await admit(id, heartbeat)
      // While Postgres is down, the last answer counts.
      if (accepted.get(id) === heartbeat.run) for (const task of heartbeat.tasks) worked.set(task, Date.now())
      if (answer && isReplyTo(id, message.reply)) message.respond(JSON.stringify(answer))
    }
  })()
  // Ends with the connection. Heartbeats sent while NATS was away are lost, which is no sign that an agent fell silent.
  void (async () => {
    for await (const { type } of nats.connection.status()) {
      if (type === 'disconnect') listeningSince = Infinity
      if (type === 'reconnect') listeningSince = Date.now()
    }
  })()
  return {
    lastWorkedOn: (taskId) => Math.max(worked.get(taskId) ?? 0, listeningSince),
    async stop() {
      subscription.unsubscribe()
      await listening
    },
  }
}

function readHeartbeat(message: { json(): unknown }): Heartbeat | undefined {
  try {
    return readOutside(Heartbeat, message.json()).data
  } catch {
    return undefined
  }
}
