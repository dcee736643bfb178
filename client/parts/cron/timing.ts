import { cronFields, cronNumber, cronParts } from '#events/schedules/cron.ts'
import { toQuartz } from '#events/schedules/quartz.ts'

/** Frequencies in the order of the form. CUSTOM is a cron expression. */
const frequencyLabels = {
  NEVER: 'Only when launched manually',
  HOURLY: 'Hourly',
  DAILY: 'Daily',
  WEEKLY: 'Weekly',
  MONTHLY: 'Monthly',
  CUSTOM: 'Custom',
}
export type Frequency = keyof typeof frequencyLabels
export type FrequencyChoice = { value: Frequency; label: string }

const choicesOf = (...frequencies: Frequency[]): FrequencyChoice[] =>
  frequencies.map((value) => ({ value, label: frequencyLabels[value] }))

/** Frequencies of scans. */
export const scanFrequencies: FrequencyChoice[] = [
  ...choicesOf('HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY'),
  { value: 'CUSTOM', label: 'Advanced' },
]
/** Frequencies of alerts: the presets of the specification. */
export const alertFrequencies = choicesOf('DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM')
export const reportFrequencies = choicesOf('NEVER', 'DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM')

/** Times of a schedule as form fields. Only those of the frequency count. */
export type Timing = {
  frequency: Frequency
  /** Minute of the hour; empty while the input is. */
  minute: number | ''
  /** Time of day as typed, such as `02:00`. */
  time: string
  weekday: string
  /** Day of the month, or `L` for the last one. */
  day: string
  /** Cron expression of CUSTOM, as typed. */
  custom: string
}

/** Times of new alerts and reports, which are the presets of the specification. */
export const midnight: Timing = {
  frequency: 'DAILY',
  minute: 0,
  time: '00:00',
  weekday: 'MON',
  day: '1',
  custom: '0 0 12 * * ?',
}

/** A new schedule of scans: every night, at the time that the wizards of storages use. */
export const nightly: Timing = { ...midnight, time: '01:00', custom: '' }

export const weekdays = [
  { value: 'MON', label: 'Monday' },
  { value: 'TUE', label: 'Tuesday' },
  { value: 'WED', label: 'Wednesday' },
  { value: 'THU', label: 'Thursday' },
  { value: 'FRI', label: 'Friday' },
  { value: 'SAT', label: 'Saturday' },
  { value: 'SUN', label: 'Sunday' },
  { value: 'MON-FRI', label: 'Monday to Friday' },
]

/** Days that every month has, and the last one. */
export const daysOfMonth = [
  ...Array.from({ length: 28 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
  { value: 'L', label: 'Last day' },
]

/** Reads a time of day: `2`, `2:30`, `02:30`, `0230` or `2:30 pm`. Undefined for other text. */
export function readTime(text: string): { hour: number; minute: number } | undefined {
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::?(\d{2}))?\s*([ap])?\.?m?\.?$/i.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half.toLowerCase())
  const minute = Number(minutes)
  return hour >= 0 && hour <= 23 && minute <= 59 ? { hour, minute } : undefined
}

const hourOfHalf = (hour: number, half: string): number =>
  hour < 1 || hour > 12 ? -1 : (hour % 12) + (half === 'p' ? 12 : 0)

const twoDigits = (number: number): string => String(number).padStart(2, '0')
/** `07:30` */
export const clockText = (hour: number, minute: number): string => `${twoDigits(hour)}:${twoDigits(minute)}`

/** The Quartz expression of the fields; empty for NEVER, and if they are incomplete. */
export function timingCron({ frequency, minute, time, weekday, day, custom }: Timing): string {
  if (frequency === 'NEVER') return ''
  if (frequency === 'CUSTOM') return toQuartz(custom)
  if (frequency === 'HOURLY') return isMinute(minute) ? `0 ${minute} * * * ?` : ''
  const at = readTime(time)
  if (!at) return ''
  const start = `0 ${at.minute} ${at.hour}`
  if (frequency === 'DAILY') return `${start} * * ?`
  return frequency === 'WEEKLY' ? `${start} ? * ${weekday}` : `${start} ${day} * ?`
}

const isMinute = (minute: number | ''): boolean =>
  minute !== '' && Number.isInteger(minute) && minute >= 0 && minute <= 59

/** Problem of an incomplete field of a timing, for its form. Faults of expressions are those of the schema. */
export function timingProblem({ frequency, minute, time }: Timing): string | undefined {
  if (frequency === 'CUSTOM' || frequency === 'NEVER') return undefined
  if (frequency === 'HOURLY') return isMinute(minute) ? undefined : 'Minute must be a whole number from 0 to 59'
  return readTime(time) ? undefined : 'Time must be a time of day, such as 02:00'
}

/** The fields of an expression. CUSTOM if the other frequencies can't express it, or it is not among the choices. */
export function timingOf(cron: string, choices: FrequencyChoice[], defaults: Timing): Timing {
  const found = simpleTiming(cronParts(toQuartz(cron)))
  if (found && choices.some(({ value }) => value === found.frequency)) return { ...defaults, ...found }
  return { ...defaults, frequency: 'CUSTOM', custom: cron }
}

const [, minutesField, hoursField, , , weekField] = cronFields

type Simple = Partial<Timing> & Pick<Timing, 'frequency'>

function simpleTiming(parts: string[]): Simple | undefined {
  const [seconds, minutes = '', hours = '', dayOfMonth = '', month, dayOfWeek = '', year = '*'] = parts
  const minute = cronNumber(minutes, minutesField)
  if (seconds !== '0' || month !== '*' || year !== '*' || minute === undefined) return undefined
  const days = daysOf(dayOfMonth, dayOfWeek)
  if (hours === '*') return days?.frequency === 'DAILY' ? { frequency: 'HOURLY', minute } : undefined
  const hour = cronNumber(hours, hoursField)
  return days && hour !== undefined ? { ...days, time: clockText(hour, minute) } : undefined
}

/** The frequency of the two day fields; one of them must be `?`. */
function daysOf(dayOfMonth: string, dayOfWeek: string): Simple | undefined {
  const [other, day] = dayOfWeek === '?' ? [dayOfWeek, dayOfMonth] : [dayOfMonth, dayOfWeek]
  if (other !== '?') return undefined
  if (day === '*') return { frequency: 'DAILY' }
  if (dayOfWeek === '?')
    return daysOfMonth.some(({ value }) => value === day) ? { frequency: 'MONTHLY', day } : undefined
  const weekday = namesOf(day)
  return weekdays.some(({ value }) => value === weekday) ? { frequency: 'WEEKLY', weekday } : undefined
}

/** Writes numbers of days as names. */
const namesOf = (dayOfWeek: string): string =>
  dayOfWeek
    .split('-')
    .map((word) => weekField.names[(cronNumber(word, weekField) ?? 0) - 1] ?? word)
    .join('-')
