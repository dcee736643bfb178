import { nextTimes } from '#server/platform/cron.ts'
import type { Db } from '#server/platform/postgres.ts'

/**
 * Works out anew when schedules are due next, for the clock or its time zone may be another than when that was written.
 * Times that are over stay due.
 */
export const alignDueTimes = (db: Db, now: Date): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const waiting = await trx
      .selectFrom('schedules')
      .select(['id', 'cron'])
      .where('nextDueAt', '>', now)
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const { id, cron } of waiting) {
      const [nextDueAt = null] = nextTimes(cron, now, 1)
      await trx.updateTable('schedules').set({ nextDueAt }).where('id', '=', id).execute()
    }
  })
