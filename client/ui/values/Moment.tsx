import { agoText, dayText, momentText, timeText } from '#client/ui/text/moment.ts'
import classes from './Quantity.module.css'

/** A date and time; its age is in the tooltip. Style sheets may hide the time in narrow places. */
export function Moment({ at }: { at: string }) {
  return (
    <time className={classes.quantity} dateTime={at} title={`${momentText(at)}, ${agoText(at)}`}>
      {dayText(at)}
      <span data-time> {timeText(at).slice(0, 5)}</span>
    </time>
  )
}
