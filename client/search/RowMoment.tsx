import { agoText, dayText, momentText, timeText } from '../ui/text/moment.ts'
import classes from './Results.module.css'

/** A moment in a row: the day, and the time of it where there is room. */
export function RowMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${momentText(at)}, ${agoText(at)}`}>
      {dayText(at)}
      <span className={classes.time}> {timeText(at).slice(0, 5)}</span>
    </time>
  )
}
