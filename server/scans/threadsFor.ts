import { configuredNumber } from '#server/configurations/index.ts'
import type { Db } from '#server/platform/postgres.ts'

/** Tasks that an agent works on side by side. */
const tasksAtOnce = 2

/**
 * Threads that the next scan of an agent may walk with: `serverNumberOfThreads`, shared by what runs there and what waits
 * to run beside it; one at least.
 */
export async function threadsFor(db: Db, agentId: number): Promise<number> {
  const threads = await configuredNumber(db, 'serverNumberOfThreads')
  const { tasks } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('tasks'))
    .where('serverId', '=', agentId)
    .where('type', '=', 'SCAN_VOLUMES')
    .where('status', 'in', ['NEW', 'AVAILABLE', 'RUNNING'])
    .executeTakeFirstOrThrow()
  return Math.max(1, Math.floor(threads / Math.min(tasksAtOnce, Math.max(1, tasks))))
}
