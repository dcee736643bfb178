import { type Setup, setupSteps } from '#events/overview/setup.ts'
import { streamNames } from '#events/streams.ts'
import { configured } from '#server/access/configurations/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { readStates } from './readStates.ts'

/** The finished steps of the first day. A step that is undone later is open again. */
export async function readSetup(db: Db, { id }: Pick<Caller, 'id'>): Promise<Setup> {
  const [states, mailHost, { alerts, users }, own] = await Promise.all([
    readStates(db, 'everything'),
    configured(db, 'spring.mail.host'),
    countPeople(db),
    db.selectFrom('users').select('setupHiddenAt').where('id', '=', id).executeTakeFirst(),
  ])
  const isDone = {
    storage: states.length > 0,
    schedule: states.some(({ isScheduled }) => isScheduled),
    mail: mailHost !== '',
    alert: alerts > 0,
    user: users > 1,
  }
  return { done: setupSteps.filter((step) => isDone[step]), isHidden: Boolean(own?.setupHiddenAt) }
}

/** Numbers of alerts and of enabled users. */
const countPeople = (db: Db) =>
  db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('schedules')
        .select(fn.countAll<number>().as('count'))
        .where('jobGroup', '=', 'ALERT')
        .where('jobClass', '!=', 'MASS_CHANGE_ALERT')
        .as('alerts'),
      selectFrom('users').select(fn.countAll<number>().as('count')).where('disabledAt', 'is', null).as('users'),
    ])
    .$castTo<{ alerts: number; users: number }>()
    .executeTakeFirstOrThrow()

/** Hides the checklist for its user, or shows it again. Records nothing if it already is in that state. */
export async function hideSetupFor({ trx, by, recordFact }: Change<Caller>, isHidden: boolean): Promise<void> {
  const changed = await trx
    .updateTable('users')
    .set({ setupHiddenAt: isHidden ? new Date() : null })
    .where('id', '=', by.id)
    .where('setupHiddenAt', isHidden ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (changed) await recordFact(streamNames.user(by.id), { type: isHidden ? 'SetupHidden' : 'SetupShown' })
}
