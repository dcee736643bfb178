import { recordChange } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/postgres.ts'
import type { Caller } from '#server/platform/route.ts'
import { lockUser, streamOf } from '#server/users/index.ts'

/** Changes the address that mails to the caller go to; those that wait go to the new one. */
export async function changeOwnEmail(db: Db, email: string | null, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { described: before } = await lockUser(trx, by.id)
    if (before.email === email) return
    await trx.updateTable('users').set({ email }).where('id', '=', by.id).execute()
    await recordChange(trx, streamOf(by.id), by, { before, after: { ...before, email } })
  })
}
