import { agoText, dayText, momentText, timeText } from '#client/ui/text/moment.ts'
import classes from './Quantity.module.css'

/** A moment, year first; how long ago it was is one hover away. A style sheet may leave out its time where there is no room. */
export function Moment({ at }: { at: string }) {
  return (
    <time className={classes.quantity} dateTime={at} title={`${momentText(at)}, ${agoText(at)}`}>
      {dayText(at)}
      <span data-time> {timeText(at).slice(0, 5)}</span>
    </time>
  )
}
