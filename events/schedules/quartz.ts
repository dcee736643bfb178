import { z } from 'zod'
import { cronParts, cronProblem } from './cron.ts'

const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

/** Macros of crontab(5). */
const macros: Readonly<Record<string, string>> = {
  '@HOURLY': '0 0 * * * ?',
  '@DAILY': '0 0 0 * * ?',
  '@MIDNIGHT': '0 0 0 * * ?',
  '@WEEKLY': '0 0 0 ? * SUN',
  '@MONTHLY': '0 0 0 1 * ?',
  '@YEARLY': '0 0 0 1 1 ?',
  '@ANNUALLY': '0 0 0 1 1 ?',
}

/**
 * Converts cron expressions to the Quartz form that is stored: five fields as in crontab, its macros, and Quartz fields with
 * `*` for both days. Returns all other text unchanged, for `cronProblem` to report.
 */
export function toQuartz(text: string): string {
  const parts = cronParts(text)
  const macro = macros[parts.join(' ')]
  if (macro !== undefined) return macro
  const [seconds, minutes, hours, dayOfMonth, month, dayOfWeek, year] =
    parts.length === 5 ? ['0', ...parts.slice(0, 4), namedDays(parts[4] ?? '')] : parts
  if (dayOfMonth === undefined || dayOfWeek === undefined || parts.length > 7) return text.trim()
  if (parts.length !== 5 && !isUnambiguous(dayOfMonth, dayOfWeek)) return text.trim()
  return [seconds, minutes, hours, ...oneOfDays(dayOfMonth, month ?? '', dayOfWeek), ...(year ? [year] : [])].join(' ')
}

/**
 * True if the two days of Quartz fields have one meaning. Six fields with a numbered weekday don't: other schedulers with
 * seconds count from Sunday as 0, which would be a day off.
 */
const isUnambiguous = (dayOfMonth: string, dayOfWeek: string): boolean =>
  dayOfWeek === '*' || (dayOfMonth === '*' && !/^\d|[,-]\d/.test(dayOfWeek))

/** Five fields and macros of crontab have one meaning, and are no Quartz. */
const isCrontab = (text: string): boolean => cronParts(text).length === 5 || text.startsWith('@')

/** A cron expression in a call, in its Quartz form: seconds first, the year may be left out. The server checks that it has a next time. */
export const CronText = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(255)
  .overwrite((text) => (isCrontab(text) ? toQuartz(text) : text))
  .superRefine((text, { addIssue }) => {
    const message = text === '' ? undefined : cronProblem(text)
    if (message) addIssue({ code: 'custom', message })
  })

const isOpen = (day: string): boolean => day === '*' || day === '?'

/** Quartz sets one of the two days. Both set stay, since crontab runs on either and Quartz can't. */
function oneOfDays(dayOfMonth: string, month: string, dayOfWeek: string): string[] {
  if (isOpen(dayOfMonth) && isOpen(dayOfWeek)) return dayOfMonth === '?' ? ['?', month, '*'] : ['*', month, '?']
  if (isOpen(dayOfWeek)) return [dayOfMonth, month, '?']
  return [isOpen(dayOfMonth) ? '?' : dayOfMonth, month, dayOfWeek]
}

/** Days of the week in crontab are 0 to 7 from Sunday to Sunday, in Quartz 1 to 7, so they are written as names. */
const namedDays = (field: string): string =>
  field
    .split(',')
    .map((part) =>
      part.replace(/^([0-7])(?:-([0-7]))?(?=$|\/|L$|#)/, (_, first: string, last?: string) =>
        [first, last].flatMap((day) => (day === undefined ? [] : [days[Number(day)]])).join('-'),
      ),
    )
    .join(',')
