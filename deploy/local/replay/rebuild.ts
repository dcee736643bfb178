import { counted } from '#events/contract/counted.ts'
import { replayJobs } from '#server/workers/jobs/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Order } from './readOrder.ts'

/** Maximum number of differences that are printed. Further ones are counted. */
const maxPrinted = 20

/** Folds the log from scratch and writes differences unless `check` is set. Returns the exit code. */
export async function rebuild(db: Db, { check, stream }: Pick<Order, 'check' | 'stream'>): Promise<number> {
  let printed = 0
  const { events, jobs, differences } = await replayJobs(db, {
    write: !check,
    stream,
    differs: ({ jobId, ...sides }) => {
      if (printed++ < maxPrinted) console.log(`job ${jobId}:`, sides)
    },
  })
  if (differences > maxPrinted) console.log(`and ${differences - maxPrinted} more`)
  console.log(`${counted(events, 'event')}, ${counted(jobs, 'job')}, ${counted(differences, 'difference')}`)
  if (differences > 0 && !check) console.log('The projections of these jobs and their tasks were rebuilt')
  return differences > 0 && check ? 1 : 0
}
