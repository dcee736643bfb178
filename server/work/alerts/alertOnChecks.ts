import type { Trx } from '#server/platform/log/eventLog.ts'
import { checksOf, type FailingCheck } from '#server/work/reports/index.ts'
import { mayRepeat, type Repetition } from './alertStates.ts'
import { type AlertOutcome, keepEvaluation, sentence } from './evaluation.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import { silentOutcome } from './reportObjects.ts'
import { type Alert, sendAlert } from './sendAlert.ts'

type CheckAlert = Alert & Repetition & { reportIds: number[] }

/**
 * Sends a user the reports whose check started to fail since the last alert, or could not be evaluated any more: once
 * each time it does.
 */
export async function alertOnChecks(trx: Trx, alert: CheckAlert): Promise<AlertOutcome> {
  const { failing, gone } = await checksOf(trx, alert.reportIds)
  const notes = gone.length > 0 ? [`deleted: ${joinNames(gone.map(String))}`] : []
  const unknown = phrasesOf(failing.filter(({ state }) => state === 'UNKNOWN'))
  const firing = failing
    .filter(({ state }) => state === 'FAILED')
    .map(({ id, name }) => ({ id, text: `${name}: check failed` }))
  const unknownIds = failing.filter(({ state }) => state === 'UNKNOWN').map(({ id }) => id)
  const muted = await keepEvaluation(trx, alert, { firing, unknown: [...unknown, ...notes], unknownIds })
  const unsent = await notYetSent(trx, alert, failing)
  const newFailures = unsent.filter(({ id }) => !muted.has(id))
  if (newFailures.length === 0) {
    const silent = firing.filter(({ id }) => unsent.some((one) => one.id === id))
    return silentOutcome(silent, [...unknown, ...notes])
  }
  const found = phrasesOf(newFailures)
  const failure = await sendAlert(trx, alert, messageOf(alert, newFailures, notes))
  if (failure) return { outcome: 'failed', reason: sentence([failure, ...found, ...notes]) }
  await storeSent(trx, alert, newFailures)
  return { outcome: 'notified', reason: sentence([...found, ...notes]) }
}

/** `the check of Rushes failed`, for each state of the checks. */
const phrasesOf = (failing: FailingCheck[]): string[] =>
  verbs.flatMap(({ state, did }) => {
    const names = failing.filter((one) => one.state === state).map(({ name }) => name)
    return names.length > 0 ? [`the check of ${joinNames(names)} ${did}`] : []
  })

const verbs = [
  { state: 'FAILED', did: 'failed' },
  { state: 'UNKNOWN', did: 'could not be evaluated' },
] as const

async function notYetSent(trx: Trx, alert: CheckAlert, failing: FailingCheck[]): Promise<FailingCheck[]> {
  const rows = trx.selectFrom('toldChecks').selectAll().where('scheduleId', '=', alert.scheduleId)
  const sent = new Map((await rows.execute()).map((row) => [row.templateId, row]))
  return failing.filter(({ id, since }) => {
    const last = sent.get(id)
    return last?.runId !== since && mayRepeat(alert, last?.reportedAt)
  })
}

async function storeSent(trx: Trx, { scheduleId, at: reportedAt }: CheckAlert, sent: FailingCheck[]): Promise<void> {
  await trx
    .insertInto('toldChecks')
    .values(sent.map(({ id, since }) => ({ scheduleId, templateId: id, runId: since, reportedAt })))
    .onConflict((on) =>
      on
        .columns(['scheduleId', 'templateId'])
        .doUpdateSet(({ ref }) => ({ runId: ref('excluded.runId'), reportedAt: ref('excluded.reportedAt') })),
    )
    .execute()
}

function messageOf({ name }: CheckAlert, failing: FailingCheck[], notes: string[]) {
  const lines = failing.map(({ name: report, state, reason, indexingDate }) => {
    const about = `- ${report}: ${state === 'UNKNOWN' ? 'could not be evaluated, ' : ''}${reason}`
    return indexingDate === null ? about : `${about}, indexed on ${indexingDate}`
  })
  const what = failing.length === 1 ? 'The check of 1 report has' : `The checks of ${failing.length} reports have`
  const did = failing.every(({ state }) => state === 'FAILED') ? 'failed' : 'not passed'
  const rest = notes.length > 0 ? `\n\n${sentence(notes)}.` : ''
  return {
    subject: `${name}: the check of ${joinNames(failing.map((one) => one.name))} has ${did}`,
    text: `${what} ${did}:\n\n${lines.join('\n')}${rest}`,
    path: failing.length === 1 ? `/report/${failing[0]?.id}` : '/reports',
    data: {
      objects: failing.map(({ id, name, reason }) => ({ id, name, text: reason })),
      notEvaluated: notes,
    },
  }
}
