import { notifyUser } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** A due alert. */
export type SpaceAlert = {
  name: string
  userId: number
  /** Percentage of usable space, or of growth. */
  threshold: number
  /** At most one alert per key. */
  key: string
}
export type AlertOutcome = { outcome: 'notified' | 'nothing' | 'failed'; reason?: string }

/** A checked object: its percentage, if known, and its text in the mail after its name. */
export type Space = { name: string; percent: number | undefined; line: string }

/**
 * Phrases for the mail: `storage`, `storages`, some `reached 80 %` (or have), ` of the capacity`, with `more` appended.
 */
export type Phrases = { one: string; many: string; did: string; has: string; more: string }

/** Phrases for objects that are too full. */
export const fullPhrases = (threshold: number, whole: string): Pick<Phrases, 'did' | 'has' | 'more'> => ({
  did: `reached ${threshold} %`,
  has: `reached ${threshold} %`,
  more: ` of ${whole}`,
})

/** Returns whether the threshold is reached; false if the percentage is unknown. */
export const isReached = ({ percent }: Pick<Space, 'percent'>, { threshold }: Pick<SpaceAlert, 'threshold'>): boolean =>
  percent !== undefined && percent >= threshold

/** Mails the user of an alert which objects reached its threshold; `notes` are objects without data. */
export async function sendCapacityAlert(
  trx: Trx,
  alert: SpaceAlert,
  { spaces, notes, phrases }: { spaces: Space[]; notes: string[]; phrases: Phrases },
): Promise<AlertOutcome> {
  const full = spaces.filter((space) => isReached(space, alert))
  if (full.length === 0) return notes.length > 0 ? { outcome: 'nothing', reason: sentence(notes) } : nothing
  const found = `${joinNames(full.map(({ name, percent }) => `${name} (${percentText(percent)})`))} ${phrases.did}`
  if (!(await addressOf(trx, alert.userId)))
    return { outcome: 'failed', reason: sentence([noAddress, found, ...notes]) }
  await notifyUser(trx, alert.userId, mailOf(alert, full, notes, phrases))
  return { outcome: 'notified', reason: sentence([found, ...notes]) }
}

export const noAddress = 'the user has no email address'

/** The mail address of a user, if there is one. */
export async function addressOf(trx: Trx, userId: number): Promise<string | null> {
  const who = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return who?.email ?? null
}

const nothing: AlertOutcome = { outcome: 'nothing' }

function mailOf({ name, key }: SpaceAlert, full: Space[], notes: string[], { one, many, has, more }: Phrases) {
  const lines = full.map((space) => `- ${space.name}: ${space.line}`)
  const what = full.length === 1 ? `1 ${one} has` : `${full.length} ${many} have`
  const rest = notes.length > 0 ? `\n\n${sentence(notes)}.` : ''
  return {
    key,
    subject: `${name}: ${what} ${has}`,
    text: `${what} ${has}${more}:\n\n${lines.join('\n')}${rest}\n`,
  }
}

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
