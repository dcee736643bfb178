import { notifyUser } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { checksOf, type FailingCheck } from '#server/reports/index.ts'
import { addressOf, noAddress, sentence, spoken, type Told } from './tellOfSpace.ts'

/** A due alert. At most one alert is sent per key. */
type CheckAlert = { scheduleId: number; name: string; userId: number; reportIds: number[]; key: string }

/** Sends a user the reports whose check started failing since the last alert: once each time it does. */
export async function alertOnChecks(trx: Trx, alert: CheckAlert): Promise<Told> {
  const { failing, gone } = await checksOf(trx, alert.reportIds)
  const unsaid = gone.length > 0 ? [`deleted: ${spoken(gone.map(String))}`] : []
  const untold = await notTold(trx, alert.scheduleId, failing)
  if (untold.length === 0) return { outcome: 'nothing', ...(unsaid.length > 0 && { reason: sentence(unsaid) }) }
  const found = `the check of ${spoken(untold.map(({ name }) => name))} failed`
  if (!(await addressOf(trx, alert.userId)))
    return { outcome: 'failed', reason: sentence([noAddress, found, ...unsaid]) }
  await notifyUser(trx, alert.userId, mailOf(alert, untold, unsaid))
  await keepTold(trx, alert.scheduleId, untold)
  return { outcome: 'notified', reason: sentence([found, ...unsaid]) }
}

async function notTold(trx: Trx, scheduleId: number, failing: FailingCheck[]): Promise<FailingCheck[]> {
  const told = await trx.selectFrom('toldChecks').selectAll().where('scheduleId', '=', scheduleId).execute()
  return failing.filter(({ id, since }) => !told.some(({ templateId, runId }) => templateId === id && runId === since))
}

async function keepTold(trx: Trx, scheduleId: number, told: FailingCheck[]): Promise<void> {
  await trx
    .insertInto('toldChecks')
    .values(told.map(({ id, since }) => ({ scheduleId, templateId: id, runId: since })))
    .onConflict((on) =>
      on.columns(['scheduleId', 'templateId']).doUpdateSet(({ ref }) => ({ runId: ref('excluded.runId') })),
    )
    .execute()
}

function mailOf({ name, key }: CheckAlert, failing: FailingCheck[], unsaid: string[]) {
  const what = failing.length === 1 ? 'The check of 1 report has' : `The checks of ${failing.length} reports have`
  const lines = failing.map(
    ({ name: report, reason, indexingDate }) => `- ${report}: ${reason}, indexed on ${indexingDate}`,
  )
  const rest = unsaid.length > 0 ? `\n\n${sentence(unsaid)}.` : ''
  return {
    key,
    subject: `${name}: ${what.toLowerCase()} failed`,
    text: `${what} failed:\n\n${lines.join('\n')}${rest}\n`,
  }
}
