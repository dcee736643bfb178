import { cronFields } from '#events/schedules/cron.ts'
import { dayText, momentText, timeText } from '#client/ui/text/moment.ts'

export type CronField = (typeof cronFields)[number]['name']

/** Special characters that a field allows in addition to numbers. The year is optional. */
const specialCharacters: Partial<Record<CronField, string>> = {
  'day of month': ', L, L-3, W',
  month: ', JAN',
  'day of week': ', FRI-MON',
}

/** Fields in the order of the form. */
export const cronInputs = cronFields.map(({ name, min, max }) => ({
  field: name,
  label: name.charAt(0).toUpperCase() + name.slice(1),
  range: name === 'year' ? 'optional' : `${min}–${max}${specialCharacters[name] ?? ''}`,
}))

const position = (field: CronField) => cronFields.findIndex(({ name }) => name === field)
/** Defaults for empty fields: the start of every hour. */
const defaults: Record<CronField, string> = {
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
 * Changes one field of an expression. Only one of the two day fields can have a value, so setting one changes the other
 * to `?`.
 */
export function withCronField(cron: string, field: CronField, typed: string): string {
  const fields = cronFields.map(({ name }) => cronFieldOf(cron, name) || defaults[name])
  const value = typed.replaceAll(/\s/g, '') || defaults[field]
  fields[position(field)] = value
  const other = otherDay[field]
  if (other) {
    const isOpen = fields[position(other)] === '?'
    if (value !== '?') fields[position(other)] = '?'
    else if (isOpen) fields[position(other)] = '*'
  }
  return fields.join(' ').trim()
}

/** Formats times in order. The date is shown only when it changes, seconds only if any time has them. */
export function nextTexts(times: readonly string[]): string[] {
  const hasSeconds = times.some((at) => new Date(at).getSeconds() !== 0)
  return times.map((at, index) => {
    const before = times[index - 1]
    const isSameDay = before !== undefined && dayText(before) === dayText(at)
    const time = hasSeconds ? timeText(at) : momentText(at).slice(11)
    return isSameDay ? time : `${dayText(at)} ${time}`
  })
}
