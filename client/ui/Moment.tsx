import { agoText, momentText, timeText } from './text/moment.ts'
import classes from './Quantity.module.css'

/** A moment, year first; how long ago it was is one hover away. */
export function Moment({ at, timeOnly = false }: { at: string; timeOnly?: boolean }) {
  return (
    <time className={classes.quantity} dateTime={at} title={`${momentText(at)}, ${agoText(at)}`}>
      {timeOnly ? timeText(at) : momentText(at)}
    </time>
  )
}
