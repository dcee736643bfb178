import { notifyUser } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** An alert whose time has come. */
export type SpaceAlert = {
  name: string
  userId: number
  /** Percent of what may be filled, or by which something grew. */
  threshold: number
  /** What is told under a key once is told. */
  key: string
}
export type Told = { outcome: 'notified' | 'nothing' | 'failed'; reason?: string }

/** Something that was looked at: its percent where that is known, and what a mail says of it after its name. */
export type Space = { name: string; percent: number | undefined; line: string }

/**
 * What was looked at, in words: `storage`, `storages`, of which some `reached 80 %`, or have, ` of the capacity`, as a mail says more.
 */
export type Words = { one: string; many: string; did: string; has: string; more: string }

/** How those that are too full are spoken of. */
export const fullWords = (threshold: number, whole: string): Pick<Words, 'did' | 'has' | 'more'> => ({
  did: `reached ${threshold} %`,
  has: `reached ${threshold} %`,
  more: ` of ${whole}`,
})

/** Whether the threshold of an alert is reached; where the percent is not known it is not. */
export const isReached = ({ percent }: Pick<Space, 'percent'>, { threshold }: Pick<SpaceAlert, 'threshold'>): boolean =>
  percent !== undefined && percent >= threshold

/** Tells the user of an alert what reached its threshold, by mail; `unsaid` is what nothing can be said of. */
export async function tellOfSpace(
  trx: Trx,
  alert: SpaceAlert,
  { spaces, unsaid, words }: { spaces: Space[]; unsaid: string[]; words: Words },
): Promise<Told> {
  const full = spaces.filter((space) => isReached(space, alert))
  if (full.length === 0) return unsaid.length > 0 ? { outcome: 'nothing', reason: sentence(unsaid) } : nothing
  const found = `${spoken(full.map(({ name, percent }) => `${name} (${percentText(percent)})`))} ${words.did}`
  if (!(await addressOf(trx, alert.userId)))
    return { outcome: 'failed', reason: sentence([noAddress, found, ...unsaid]) }
  await notifyUser(trx, alert.userId, mailOf(alert, full, unsaid, words))
  return { outcome: 'notified', reason: sentence([found, ...unsaid]) }
}

export const noAddress = 'the user has no email address'

/** Where mails to a user go, if there is such a place. */
export async function addressOf(trx: Trx, userId: number): Promise<string | null> {
  const who = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return who?.email ?? null
}

const nothing: Told = { outcome: 'nothing' }

function mailOf({ name, key }: SpaceAlert, full: Space[], unsaid: string[], { one, many, has, more }: Words) {
  const lines = full.map((space) => `- ${space.name}: ${space.line}`)
  const what = full.length === 1 ? `1 ${one} has` : `${full.length} ${many} have`
  const rest = unsaid.length > 0 ? `\n\n${sentence(unsaid)}.` : ''
  return {
    key,
    subject: `${name}: ${what} ${has}`,
    text: `${what} ${has}${more}:\n\n${lines.join('\n')}${rest}\n`,
  }
}

/** Rounded down, so that nothing looks as if it had reached what it did not; what grew from nothing has no percent. */
export const percentText = (percent = 0): string =>
  percent === Infinity ? 'from nothing' : `${Math.floor(percent * 10) / 10} %`

export function sentence(parts: string[]): string {
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** As many names as one reads. */
export function spoken(names: string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
