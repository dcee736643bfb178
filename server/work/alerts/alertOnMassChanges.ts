import { linkTo } from '#server/messages/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type AlertOutcome, keepEvaluation, sentence } from './evaluation.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import { type MassChange, massAdvice, massSubject, massText } from './massChange.ts'
import { silentOutcome } from './reportObjects.ts'
import { type Alert, sendAlert } from './sendAlert.ts'

/** A live storage: its mass change, if one was found, and if an incident of it would be over. */
export type WatchedChanges = { id: number; name: string; found: MassChange | undefined; isQuiet: boolean }

type MassAlert = Alert & {
  at: Date
  /** Files from which a change is reported. */
  files: number
}

/** Multiple of the limit at which an incident is reported a second and last time. */
const grownFactor = 10

/**
 * Sends a user the mass changes that start, each once, and once more if they grow to ten times the limit. An incident lasts until its storage
 * is quiet.
 */
export async function alertOnMassChanges(
  trx: Trx,
  alert: MassAlert,
  watched: readonly WatchedChanges[],
): Promise<AlertOutcome> {
  const { scheduleId } = alert
  const open = await openIncidents(trx, scheduleId)
  const firing = watched.flatMap(({ id, name, found, isQuiet }) => {
    if (found) return [{ id, text: massText(name, found) }]
    const incident = open.find(({ watchedId }) => watchedId === id)
    return incident && !isQuiet ? [{ id, text: incident.text }] : []
  })
  const muted = await keepEvaluation(trx, alert, { firing, unknown: [] })
  const sent = new Map(open.map(({ watchedId, files }) => [watchedId, files]))
  const due = watched.flatMap((one) =>
    one.found && isDue(one.found.files, sent.get(one.id) ?? null, grownFactor * alert.files)
      ? [{ ...one, found: one.found, text: massText(one.name, one.found) }]
      : [],
  )
  await keepFound(trx, scheduleId, watched, ({ path }) => ({ path }))
  const loud = due.filter(({ id }) => !muted.has(id))
  if (loud.length === 0) return silentOutcome(due, [])
  await keepFound(trx, scheduleId, loud, ({ files, path }) => ({ files, path }))
  const failure = await sendAlert(trx, alert, messageOf(alert, await withHistory(trx, loud)))
  const reason = sentence([...(failure ? [failure] : []), ...loud.map(({ text }) => text)])
  return { outcome: failure ? 'failed' : 'notified', reason }
}

/** True for a change without a message, and for one that has grown since the first one. */
const isDue = (files: number, sent: number | null, grown: number): boolean =>
  sent === null || (sent < grown && files >= grown)

/** The incidents of an alert that have not ended. */
export const openIncidents = (db: Db | Trx, scheduleId: number) =>
  db
    .selectFrom('alertIncidents')
    .select(['watchedId', 'text', 'path', 'files', 'startedAt'])
    .where('scheduleId', '=', scheduleId)
    .where('endedAt', 'is', null)
    .execute()

async function keepFound(
  trx: Trx,
  scheduleId: number,
  watched: readonly Pick<WatchedChanges, 'id' | 'found'>[],
  columns: (found: MassChange) => { path: string; files?: number },
): Promise<void> {
  const incidents = trx.updateTable('alertIncidents').where('scheduleId', '=', scheduleId).where('endedAt', 'is', null)
  for (const { id, found } of watched)
    if (found) await incidents.where('watchedId', '=', id).set(columns(found)).execute()
}

type Loud = { id: number; name: string; found: MassChange; text: string }

const placeOf = ({ id, found }: Loud): [string, string][] => [
  ['volumeId', String(id)],
  ['path', found.path],
]

/** Adds the page with the folder's size at earlier scans. */
const withHistory = (trx: Trx, loud: readonly Loud[]) =>
  Promise.all(
    loud.map(async (one) => ({ ...one, history: await linkTo(trx, `/folders?${new URLSearchParams(placeOf(one))}`) })),
  )

function messageOf({ name }: MassAlert, loud: (Loud & { history: string })[]) {
  const [only] = loud.length === 1 ? loud : []
  const what = only
    ? massSubject(only.name, only.found)
    : `many files changed in ${joinNames(loud.map((one) => one.name))}`
  return {
    subject: `${name}: ${what}`,
    text: loud.map(paragraph).join('\n\n'),
    // The newest known state of the folder.
    path: only ? `/filemanagement?${new URLSearchParams([...placeOf(only), ['date', 'now']])}` : '/alerts',
    data: {
      objects: loud.map(({ id, name: storage, found, text, history }) => ({
        id,
        name: storage,
        text,
        ...found,
        history,
      })),
      notEvaluated: [],
    },
  }
}

const paragraph = ({ text, found, history }: Loud & { history: string }): string =>
  `${text}.\n${massAdvice(found)}${history === '' ? '' : `\nHistory of the folder: ${history}`}`
