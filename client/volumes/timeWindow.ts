import { daysBefore, isDay } from '#events/days.ts'

/** How many days up to the one that is looked at a timeline may show; 30 unless told otherwise. */
const windowDays = ['7', '30', '90'] as const
export type WindowChoice = (typeof windowDays)[number] | 'custom'
const usual = '30'

/** The days that a timeline shows, both included. */
export type TimeWindow = { choice: WindowChoice; from: string; to: string }

const lastDays = (days: number, activeDate: string) => ({ from: daysBefore(activeDate, days - 1), to: activeDate })

/** What an address asks for. Days of one's own that cannot be are brought into their bounds. */
export function readWindow(query: URLSearchParams, activeDate: string): TimeWindow {
  const days = windowDays.find((days) => days === query.get('window'))
  const [from, to] = [query.get('from'), query.get('to')]
  if (days !== undefined || (!isDay(from) && !isDay(to))) {
    const choice = days ?? usual
    return { choice, ...lastDays(Number(choice), activeDate) }
  }
  const end = earlier(isDay(to) ? to : activeDate, latestDay(activeDate))
  return { choice: 'custom', from: earlier(isDay(from) ? from : lastDays(Number(usual), end).from, end), to: end }
}

/** Writes a choice into an address; days of one's own begin as those that are shown. */
export function writeWindow(query: URLSearchParams, choice: WindowChoice, shown: Pick<TimeWindow, 'from' | 'to'>) {
  for (const name of ['window', 'from', 'to']) query.delete(name)
  if (choice === 'custom') {
    query.set('from', shown.from)
    query.set('to', shown.to)
  } else if (choice !== usual) query.set('window', choice)
}

/** Which days may be chosen: a timeline ends after it begins, and one day after the active date at the latest. */
export const boundsOf = ({ from, to }: Pick<TimeWindow, 'from' | 'to'>, activeDate: string) => ({
  latestFrom: to,
  earliestTo: from,
  latestTo: latestDay(activeDate),
})

const latestDay = (activeDate: string) => daysBefore(activeDate, -1)
const earlier = (a: string, b: string) => (a < b ? a : b)
