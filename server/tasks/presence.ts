import { Heartbeat } from '#events/agents.ts'
import { readAgentSubject, subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'

/** When each task was last worked on, as far as this process has heard; milliseconds of the clock. */
export type Leases = { lastWorkedOn(taskId: number): number }

/** Listens to the agents' heartbeats: keeps when each was last active, and renews the leases of their tasks. */
export function startPresence({ db, nats, log }: Platform): Leases & { stop(): Promise<void> } {
  const since = Date.now()
  const worked = new Map<number, number>()
  const subscription = nats.connection.subscribe(subjects.allHeartbeats)
  const listening = (async () => {
    for await (const message of subscription) {
      const heartbeat = readHeartbeat(message)
      const id = readAgentSubject(message.subject)
      if (id === undefined || !heartbeat) continue
      for (const task of heartbeat.tasks) worked.set(task, Date.now())
      const { run, version, host } = heartbeat
      const now = new Date()
      await db
        .updateTable('agents')
        .set({ run, version, host, lastActiveAt: now, lastCheckedAt: now })
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .execute()
        .catch((error: unknown) => log.warn({ error, agent: id }, 'A heartbeat could not be kept'))
    }
  })()
  return {
    lastWorkedOn: (taskId) => worked.get(taskId) ?? since,
    async stop() {
      subscription.unsubscribe()
      await listening
    },
  }
}

function readHeartbeat(message: { json(): unknown }): Heartbeat | undefined {
  try {
    return Heartbeat.safeParse(message.json()).data
  } catch {
    return undefined
  }
}
