import type { Forecast } from '#events/overview/forecast.ts'
import { countText, counted } from '#client/ui/text/count.ts'

/** Forecasts further ahead are only a direction. */
const maxDays = 3_650

/** `Full in 84 days`, `Full within a day`, or `Not within 10 years`. */
export function forecastText({ days }: Forecast): string {
  if (days > maxDays) return 'Not within 10 years'
  const whole = Math.floor(days)
  return whole === 0 ? 'Full within a day' : `Full in ${counted(whole, 'day')}`
}

/** Range of the forecast: `62 to 131 days`, `62 days or more`. Empty if it is beyond all forecasts. */
export function forecastRange({ earliest, latest }: Forecast): string {
  const [from, to] = [Math.floor(earliest), Math.ceil(latest)]
  if (from > maxDays) return ''
  return to > maxDays ? `${countText(from)} days or more` : `${countText(from)} to ${counted(to, 'day')}`
}

/** Explains a forecast in a tooltip. */
export const forecastRule =
  'A straight line through the used space of the scans of the last 90 days. The range has a confidence of 95 %.'

/** True if a disk may be full within this number of days, so that a list highlights it. */
export const isSoonFull = ({ earliest }: Forecast, days = 30): boolean => earliest < days

type Disk = { forecast?: Forecast | undefined }

/** True for a disk that is expected to be full within a year. Walls have no room for forecasts further ahead. */
export const fillsThisYear = ({ forecast }: Disk): boolean => forecast !== undefined && forecast.days < 365

/** The disk that is expected to be full first, within a year; undefined without one. */
export const fullFirst = <T extends Disk>(disks: readonly T[]): T | undefined =>
  disks.filter(fillsThisYear).toSorted((a, b) => daysOf(a) - daysOf(b))[0]

const daysOf = ({ forecast }: Disk): number => forecast?.days ?? Infinity
