import { notifyUser } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { checksOf, type FailingCheck } from '#server/reports/index.ts'
import { addressOf, noAddress, sentence, joinNames, type AlertOutcome } from './sendCapacityAlert.ts'

/** A due alert. At most one alert is sent per key. */
type CheckAlert = { scheduleId: number; name: string; userId: number; reportIds: number[]; key: string }

/** Sends a user the reports whose check started failing since the last alert: once each time it does. */
export async function alertOnChecks(trx: Trx, alert: CheckAlert): Promise<AlertOutcome> {
  const { failing, gone } = await checksOf(trx, alert.reportIds)
  const notes = gone.length > 0 ? [`deleted: ${joinNames(gone.map(String))}`] : []
  const newFailures = await notYetSent(trx, alert.scheduleId, failing)
  if (newFailures.length === 0) return { outcome: 'nothing', ...(notes.length > 0 && { reason: sentence(notes) }) }
  const found = `the check of ${joinNames(newFailures.map(({ name }) => name))} failed`
  if (!(await addressOf(trx, alert.userId)))
    return { outcome: 'failed', reason: sentence([noAddress, found, ...notes]) }
  await notifyUser(trx, alert.userId, mailOf(alert, newFailures, notes))
  await storeSent(trx, alert.scheduleId, newFailures)
  return { outcome: 'notified', reason: sentence([found, ...notes]) }
}

async function notYetSent(trx: Trx, scheduleId: number, failing: FailingCheck[]): Promise<FailingCheck[]> {
  const sent = await trx.selectFrom('toldChecks').selectAll().where('scheduleId', '=', scheduleId).execute()
  return failing.filter(({ id, since }) => !sent.some(({ templateId, runId }) => templateId === id && runId === since))
}

async function storeSent(trx: Trx, scheduleId: number, sent: FailingCheck[]): Promise<void> {
  await trx
    .insertInto('toldChecks')
    .values(sent.map(({ id, since }) => ({ scheduleId, templateId: id, runId: since })))
    .onConflict((on) =>
      on.columns(['scheduleId', 'templateId']).doUpdateSet(({ ref }) => ({ runId: ref('excluded.runId') })),
    )
    .execute()
}

function mailOf({ name, key }: CheckAlert, failing: FailingCheck[], notes: string[]) {
  const what = failing.length === 1 ? 'The check of 1 report has' : `The checks of ${failing.length} reports have`
  const lines = failing.map(
    ({ name: report, reason, indexingDate }) => `- ${report}: ${reason}, indexed on ${indexingDate}`,
  )
  const rest = notes.length > 0 ? `\n\n${sentence(notes)}.` : ''
  return {
    key,
    subject: `${name}: ${what.toLowerCase()} failed`,
    text: `${what} failed:\n\n${lines.join('\n')}${rest}\n`,
  }
}
