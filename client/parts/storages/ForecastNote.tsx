import type { Forecast } from '#events/overview/forecast.ts'
import { forecastRange, forecastRule, forecastText, isSoonFull } from './forecastWords.ts'
import classes from './ForecastNote.module.css'

/** When a disk is full, with the range. `isShort` leaves the range to the tooltip. */
export function ForecastNote({ forecast, isShort = false }: { forecast: Forecast; isShort?: boolean }) {
  const range = forecastRange(forecast)
  const title = isShort && range !== '' ? `${range}. ${forecastRule}` : forecastRule
  return (
    <span className={classes.forecast} data-soon={isSoonFull(forecast) || undefined} title={title}>
      {forecastText(forecast)}
      {!isShort && range !== '' && <span className={classes.range}> ({range})</span>}
    </span>
  )
}
