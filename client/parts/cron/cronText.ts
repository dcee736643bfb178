import { cronFields } from '#events/schedules/cron.ts'
import { dayText, momentText, timeText } from '#client/ui/text/moment.ts'

export type CronField = (typeof cronFields)[number]['name']

/** What else than numbers a field may be; the year may be left out. */
const beside: Partial<Record<CronField, string>> = {
  'day of month': ', L, W',
  month: ', JAN',
  'day of week': ', MON',
}

/** The fields as a form shows them, in their order. */
export const cronInputs = cronFields.map(({ name, min, max }) => ({
  field: name,
  label: name.charAt(0).toUpperCase() + name.slice(1),
  range: name === 'year' ? 'optional' : `${min}–${max}${beside[name] ?? ''}`,
}))

const position = (field: CronField) => cronFields.findIndex(({ name }) => name === field)
/** What stands where nothing was given: the start of each hour of each day. */
const usual: Record<CronField, string> = {
  seconds: '0',
  minutes: '0',
  hours: '*',
  'day of month': '*',
  month: '*',
  'day of week': '?',
  year: '',
}
const otherDay: Partial<Record<CronField, CronField>> = { 'day of month': 'day of week', 'day of week': 'day of month' }

const parts = (cron: string) => cron.trim().split(/\s+/).filter(Boolean)

export const cronFieldOf = (cron: string, field: CronField): string => parts(cron)[position(field)] ?? ''

/**
 * The expression with one field changed. Of the two days one says when and the other is `?`, so a day that is given takes
 * that part from the other.
 */
export function withCronField(cron: string, field: CronField, typed: string): string {
  const fields = cronFields.map(({ name }) => cronFieldOf(cron, name) || usual[name])
  const value = typed.replaceAll(/\s/g, '') || usual[field]
  fields[position(field)] = value
  const other = otherDay[field]
  if (other) {
    const isOpen = fields[position(other)] === '?'
    if (value !== '?') fields[position(other)] = '?'
    else if (isOpen) fields[position(other)] = '*'
  }
  return fields.join(' ').trim()
}

/** How often an alert looks, as users choose it. Weeks begin on Monday. */
export const cronPresets = {
  DAILY: { label: 'Daily', cron: '0 0 0 * * ?' },
  WEEKLY: { label: 'Weekly', cron: '0 0 0 ? * MON' },
  MONTHLY: { label: 'Monthly', cron: '0 0 0 1 * ?' },
  CUSTOM: { label: 'Custom', cron: '0 0 12 * * ?' },
} as const
export type CronPreset = keyof typeof cronPresets

/** What a cron expression is shown as: what is none of the first three is custom. */
export function presetOf(cron: string): CronPreset {
  const text = parts(cron).join(' ').toUpperCase()
  const known = (['DAILY', 'WEEKLY', 'MONTHLY'] as const).find((preset) => cronPresets[preset].cron === text)
  return known ?? 'CUSTOM'
}

/** Times in their order, each with its day where that is another than the one before, and with seconds where any has them. */
export function nextTexts(times: readonly string[]): string[] {
  const hasSeconds = times.some((at) => new Date(at).getSeconds() !== 0)
  return times.map((at, index) => {
    const before = times[index - 1]
    const isSameDay = before !== undefined && dayText(before) === dayText(at)
    const time = hasSeconds ? timeText(at) : momentText(at).slice(11)
    return isSameDay ? time : `${dayText(at)} ${time}`
  })
}
