import { linkTo, notifyUser } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { keepReported, type Limits, objectsToReport, type Watched } from './alertStates.ts'

/** A due alert, or one that is checked after a scan. `threshold` is a percentage of usable space, or of growth. */
export type SpaceAlert = Limits & {
  name: string
  userId: number
  /** At most one alert per key. */
  key: string
  /** True at due times: lasting states are reported again. */
  repeats: boolean
}
export type AlertOutcome = { outcome: 'notified' | 'nothing' | 'unknown' | 'failed'; reason?: string }

/** A checked object: its percentage, if known, and its text in the mail after its name. */
export type Space = Watched & { name: string; line: string }

/** Path of the page that shows an object, or all of them. */
type Page = (id?: number) => string

/**
 * Phrases for the mail: `storage`, `storages`, some `reached 80 %` (or have), ` of the capacity`, with `more` appended.
 */
export type Phrases = { one: string; many: string; did: string; has: string; more: string; page: Page }

/** Phrases for objects that are too full. */
export const fullPhrases = (threshold: number, whole: string): Pick<Phrases, 'did' | 'has' | 'more'> => ({
  did: `reached ${threshold} %`,
  has: `reached ${threshold} %`,
  more: ` of ${whole}`,
})

/**
 * Mails the user of an alert which objects reached its threshold; `notes` are objects that could not be evaluated.
 * Objects count as reported only once the mail is queued.
 */
export async function sendCapacityAlert(
  trx: Trx,
  alert: SpaceAlert,
  { spaces, notes, phrases }: { spaces: Space[]; notes: string[]; phrases: Phrases },
): Promise<AlertOutcome> {
  const full = await objectsToReport(trx, alert, spaces, alert)
  if (full.length === 0) return notes.length > 0 ? { outcome: 'unknown', reason: sentence(notes) } : nothing
  const found = `${joinNames(full.map(({ name, percent }) => `${name} (${percentText(percent)})`))} ${phrases.did}`
  if (!(await addressOf(trx, alert.userId)))
    return { outcome: 'failed', reason: sentence([noAddress, found, ...notes]) }
  await notifyUser(trx, alert.userId, await mailOf(trx, alert, full, notes, phrases))
  const ids = full.map(({ id }) => id)
  await keepReported(trx, alert, ids)
  return { outcome: 'notified', reason: sentence([found, ...notes]) }
}

export const noAddress = 'the user has no email address'

/** The mail address of a user, if there is one. */
export async function addressOf(trx: Trx, userId: number): Promise<string | null> {
  const who = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return who?.email ?? null
}

const nothing: AlertOutcome = { outcome: 'nothing' }

async function mailOf(
  trx: Trx,
  { name, key }: SpaceAlert,
  full: Space[],
  notes: string[],
  { one, many, has, more, page }: Phrases,
) {
  const lines = full.map((space) => `- ${space.name}: ${space.line}`)
  const what = full.length === 1 ? `1 ${one} has` : `${full.length} ${many} have`
  const rest = notes.length > 0 ? `\n\n${sentence(notes)}.` : ''
  const link = await linkTo(trx, page(full.length === 1 ? full[0]?.id : undefined))
  return {
    key,
    subject: subjectOf(name, full, has),
    text: `${what} ${has}${more}:\n\n${lines.join('\n')}${rest}\n${link === '' ? '' : `\n${link}\n`}`,
  }
}

/** Subject of an alert's mail, with the names of the objects: `Space: Rushes has reached 80 %`. */
export const subjectOf = (alert: string, objects: { name: string }[], has: string): string =>
  `${alert}: ${joinNames(objects.map(({ name }) => name))} ${objects.length === 1 ? 'has' : 'have'} ${has}`

/** Rounded down, so nothing appears to have reached a value early. Growth from zero has no percentage. */
export const percentText = (percent = 0): string =>
  percent === Infinity ? 'from nothing' : `${Math.floor(percent * 10) / 10} %`

export function sentence(parts: string[]): string {
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Joins the first few names. */
export function joinNames(names: string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
