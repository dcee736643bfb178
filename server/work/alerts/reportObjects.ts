import type { Trx } from '#server/platform/log/eventLog.ts'
import { keepReported, type Limits, objectsToReport, type Watched } from './alertStates.ts'
import { type AlertOutcome, keepEvaluation, sentence } from './evaluation.ts'
import { joinNames, joinTexts } from '#server/platform/joinNames.ts'
import { type Alert, sendAlert } from './sendAlert.ts'

/** A due alert, or one that is evaluated after a scan. `threshold` is the percentage at which an object is reported. */
export type ObjectAlert = Alert &
  Limits & {
    /** True at due times: lasting states are reported again. */
    repeats: boolean
  }

/**
 * A watched object: its percentage of the threshold's whole, if known, its text in the message after its name, and a sentence about its
 * state.
 */
export type Watch = Watched & { name: string; line: string; text: string }

/** Path of the page that shows an object, or all of them. */
type Page = (id?: number) => string

/**
 * Phrases for messages: `storage`, `storages`, some have `reached 80 %`, ` of the capacity`, with `more` appended.
 */
export type Phrases = { one: string; many: string; has: string; more: string; page: Page }

/** Watched objects with the phrases about them; `notes` name those that could not be evaluated. */
export type Watches = { watches: Watch[]; notes: string[]; phrases: Phrases }

/** Phrases for objects that are too full. */
export const fullPhrases = (threshold: number, whole: string): Pick<Phrases, 'has' | 'more'> => ({
  has: `reached ${threshold} %`,
  more: ` of ${whole}`,
})

/**
 * Sends the recipients of an alert the objects that reached its threshold, and records its state. Objects count as reported
 * only once a message is queued.
 */
export async function reportObjects(
  trx: Trx,
  alert: ObjectAlert,
  { watches, notes, phrases }: Watches,
): Promise<AlertOutcome> {
  const { due, reached } = await objectsToReport(trx, alert, watches, alert)
  const unknownIds = watches.filter(({ percent }) => percent === undefined).map(({ id }) => id)
  const muted = await keepEvaluation(trx, alert, { firing: reached, unknown: notes, unknownIds })
  const loud = due.filter(({ id }) => !muted.has(id))
  if (loud.length === 0) return silentOutcome(due, notes)
  const found = joinTexts(loud)
  const failure = await sendAlert(trx, alert, messageOf(alert, loud, notes, phrases))
  if (failure) return { outcome: 'failed', reason: sentence([failure, found, ...notes]) }
  await keepReported(
    trx,
    alert,
    loud.map(({ id }) => id),
  )
  return { outcome: 'notified', reason: sentence([found, ...notes]) }
}

/** Outcome without a message: all that would be sent is muted, or nothing is to be sent. */
export function silentOutcome(muted: readonly { text: string }[], notes: string[]): AlertOutcome {
  if (muted.length > 0) return { outcome: 'nothing', reason: sentence([`muted: ${joinTexts(muted)}`, ...notes]) }
  return notes.length > 0 ? { outcome: 'unknown', reason: sentence(notes) } : { outcome: 'nothing' }
}

function messageOf({ name }: ObjectAlert, found: Watch[], notes: string[], { one, many, has, more, page }: Phrases) {
  const lines = found.map((watch) => `- ${watch.name}: ${watch.line}`)
  const what = found.length === 1 ? `1 ${one} has` : `${found.length} ${many} have`
  const rest = notes.length > 0 ? `\n\n${sentence(notes)}.` : ''
  return {
    subject: subjectOf(name, found, has),
    text: `${what} ${has}${more}:\n\n${lines.join('\n')}${rest}`,
    path: page(found.length === 1 ? found[0]?.id : undefined),
    data: { objects: found.map(({ id, name, line }) => ({ id, name, text: line })), notEvaluated: notes },
  }
}

/** Subject of an alert's message, with the names of the objects: `Space: Rushes has reached 80 %`. */
const subjectOf = (alert: string, objects: { name: string }[], has: string): string =>
  `${alert}: ${joinNames(objects.map(({ name }) => name))} ${objects.length === 1 ? 'has' : 'have'} ${has}`

/** Rounded down, so nothing appears to have reached a value early. Growth from zero has no percentage. */
export const percentText = (percent = 0): string =>
  percent === Infinity ? 'from nothing' : `${Math.floor(percent * 10) / 10} %`
