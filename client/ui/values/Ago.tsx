import { agoText, hintText, momentText } from '#client/ui/text/moment.ts'
import { useNow } from './clock.ts'
import classes from './Ago.module.css'

/** Age of a moment, or a dash. Hover, or focus on its row, shows the date instead. */
export function Ago({ at }: { at: string | null }) {
  return at === null ? '-' : <Age at={at} />
}

function Age({ at }: { at: string }) {
  const now = useNow()
  return (
    <time className={classes.moment} dateTime={at} title={hintText(at)}>
      <span data-ago>{agoText(at, now)}</span>
      <span data-exact>{momentText(at)}</span>
    </time>
  )
}
