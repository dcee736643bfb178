import type { Forecast } from '#events/overview/forecast.ts'
import { forecastRange, forecastRule, forecastText, isSoonFull } from './forecastWords.ts'
import classes from './ForecastNote.module.css'

/** When a disk is full, with the range. */
export const ForecastNote = ({ forecast }: { forecast: Forecast }) => (
  <span className={classes.forecast} data-soon={isSoonFull(forecast) || undefined} title={forecastRule}>
    {forecastText(forecast)} <span className={classes.range}>({forecastRange(forecast)})</span>
  </span>
)
