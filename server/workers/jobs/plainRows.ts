import type { Selectable } from 'kysely'
import type { Task } from '#events/jobs/events.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

type Times = { createdAt: Date; startedAt: Date | null; updatedAt: Date }

/** The times of a row in the form of the wire. */
export const plainTimes = <T extends Times>(row: T) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
})

/** A task without the number of its job. */
export const plainTask = ({ jobId: _, ...task }: Selectable<Tables['tasks']>): Task => plainTimes(task)
