import { agoText, momentText } from './text/moment.ts'
import classes from './Quantity.module.css'

/** A moment, year first; how long ago it was is one hover away. */
export function Moment({ at }: { at: string }) {
  return (
    <time className={classes.quantity} dateTime={at} title={`${momentText(at)}, ${agoText(at)}`}>
      {momentText(at)}
    </time>
  )
}
