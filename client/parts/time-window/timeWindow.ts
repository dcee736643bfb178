import { daysBefore, isDay } from '#events/contract/days.ts'
import { useQuery } from '#client/app/address.ts'

/** Days before the active date. */
const windowDays = ['7', '30', '90'] as const
export type WindowChoice = (typeof windowDays)[number] | 'custom'
const defaultChoice = '30'

/** Days of a timeline, inclusive. */
export type TimeWindow = { choice: WindowChoice; from: string; to: string }

const lastDays = (days: number, activeDate: string) => ({ from: daysBefore(activeDate, days - 1), to: activeDate })

/** Time window in the URL. Custom days are limited to the available range. */
export function readWindow(query: URLSearchParams, activeDate: string): TimeWindow {
  const days = windowDays.find((days) => days === query.get('window'))
  const [from, to] = [query.get('from'), query.get('to')]
  if (days !== undefined || (!isDay(from) && !isDay(to))) {
    const choice = days ?? defaultChoice
    return { choice, ...lastDays(Number(choice), activeDate) }
  }
  const end = earlier(isDay(to) ? to : activeDate, latestDay(activeDate))
  return {
    choice: 'custom',
    from: earlier(isDay(from) ? from : lastDays(Number(defaultChoice), end).from, end),
    to: end,
  }
}

/** Writes the window to the URL. A custom window starts with the days shown. */
export function writeWindow(query: URLSearchParams, choice: WindowChoice, shown: Pick<TimeWindow, 'from' | 'to'>) {
  for (const name of ['window', 'from', 'to']) query.delete(name)
  if (choice === 'custom') {
    query.set('from', shown.from)
    query.set('to', shown.to)
  } else if (choice !== defaultChoice) query.set('window', choice)
}

/** Limits of the window: from before to, and at most one day after the active date. */
export const boundsOf = ({ from, to }: Pick<TimeWindow, 'from' | 'to'>, activeDate: string) => ({
  latestFrom: to,
  earliestTo: from,
  latestTo: latestDay(activeDate),
})

const latestDay = (activeDate: string) => daysBefore(activeDate, -1)
const earlier = (a: string, b: string) => (a < b ? a : b)

/** Time window of the URL, its limits, and a function to change it. */
export type ChosenTimeWindow = {
  frame: TimeWindow
  bounds: ReturnType<typeof boundsOf>
  choose: (choice: WindowChoice, days?: Pick<TimeWindow, 'from' | 'to'>) => void
}

/** Time window in the URL, for a timeline up to the active date. */
export function useTimeWindow(activeDate: string): ChosenTimeWindow {
  const [query, change] = useQuery()
  const frame = readWindow(query, activeDate)
  return {
    frame,
    bounds: boundsOf(frame, activeDate),
    choose: (choice, days = frame) => change((query) => writeWindow(query, choice, days), { replace: true }),
  }
}
