import { dayText, hintText, timeText } from '#client/ui/text/moment.ts'

/**
 * A date and time; its time zone and age are in the tooltip. Style sheets may hide the time in narrow places. Null is a time that its source
 * doesn't have, or that can't be right.
 */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return <span title="No time, or one that can't be right">Unknown</span>
  return (
    <time className="nowrap" dateTime={at} title={hintText(at)}>
      {dayText(at)}
      <span data-time> {timeText(at).slice(0, 5)}</span>
    </time>
  )
}
