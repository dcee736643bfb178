import { agoText, longMomentText } from '#client/ui/text/moment.ts'
import classes from './Quantity.module.css'

/** A moment in long form, or a dash where there is none yet; its seconds, and how long ago it was, are one hover away. */
export function LongMoment({ at }: { at: string | null }) {
  if (at === null) return '-'
  return (
    <time className={classes.quantity} dateTime={at} title={`${longMomentText(at)}, ${agoText(at)}`}>
      {longMomentText(at).slice(0, -':00'.length)}
    </time>
  )
}
