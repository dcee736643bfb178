import { agoText, longMomentText } from '#client/ui/text/moment.ts'
import { timeZone } from '#client/ui/text/timeZone.ts'
import classes from './Quantity.module.css'

/** A long date and time, or a dash. Seconds and age are in the tooltip. */
export function LongMoment({ at }: { at: string | null }) {
  if (at === null) return '-'
  return (
    <time className={classes.quantity} dateTime={at} title={`${longMomentText(at)} ${timeZone}, ${agoText(at)}`}>
      {longMomentText(at).slice(0, -':00'.length)}
    </time>
  )
}
