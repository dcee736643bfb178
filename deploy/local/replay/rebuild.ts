import { replayJobs } from '#server/jobs/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Order } from './readOrder.ts'

/** More differences than these are counted and not printed. */
const printed = 20

/** Folds the log anew and writes what differs, or only looks. Returns the code to end with. */
export async function rebuild(db: Db, { check, stream }: Pick<Order, 'check' | 'stream'>): Promise<number> {
  let told = 0
  const { events, jobs, differences } = await replayJobs(db, {
    write: !check,
    stream,
    differs: ({ jobId, ...sides }) => {
      if (told++ < printed) console.log(`job ${jobId}:`, sides)
    },
  })
  if (differences > printed) console.log(`and ${differences - printed} more`)
  console.log(`${events} events, ${jobs} jobs, ${differences} differences`)
  if (differences > 0 && !check) console.log('The projections of these jobs and their tasks were rebuilt')
  return differences > 0 && check ? 1 : 0
}
