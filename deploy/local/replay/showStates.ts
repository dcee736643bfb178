import { counted } from '#events/contract/counted.ts'
import type { Job } from '#events/jobs/events.ts'
import { type EventLimit, statesAt } from '#server/messages/event-log/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Order } from './readOrder.ts'

/** Prints the state of a stream, or one line for each job. Returns the exit code. */
export async function showStates(db: Db, { stream, until }: Pick<Order, 'stream' | 'until'>): Promise<number> {
  if (!until) throw new Error('A position or time is missing')
  return stream === undefined ? showJobs(db, until) : showStream(db, until, stream)
}

async function showStream(db: Db, until: EventLimit, stream: string): Promise<number> {
  for await (const { state, position, at } of statesAt(db, until, stream)) {
    console.log(`${stream} at position ${position}, ${at}`)
    console.log(JSON.stringify(state, null, 2))
    return 0
  }
  console.error(`${stream} did not exist yet`)
  return 1
}

async function showJobs(db: Db, until: EventLimit): Promise<number> {
  const counts = new Map<string, number>()
  for await (const { state, position, at } of statesAt(db, until)) {
    const job = state as Job | null
    if (!job) continue
    counts.set(job.status, (counts.get(job.status) ?? 0) + 1)
    console.log(`${job.id}\t${job.type}\t${job.status}\t${tasksOf(job)}\t${at}\tposition ${position}`)
  }
  const all = [...counts].map(([status, jobs]) => `${jobs} ${status}`).join(', ')
  console.log(all || 'No jobs existed yet')
  return 0
}

/** For example `3 tasks: 2 SUCCESS, 1 RUNNING`. */
function tasksOf({ tasks }: Job): string {
  const byStatus = Object.entries(Object.groupBy(tasks, ({ status }) => status))
  const counts = byStatus.map(([status, some]) => `${some.length} ${status}`).join(', ')
  return `${counted(tasks.length, 'task')}: ${counts || 'none'}`
}
