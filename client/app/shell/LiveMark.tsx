import { useSnapshot } from 'valtio'
import { timeText } from '../../ui/text/moment.ts'
import { live } from '../live/live.state.ts'
import classes from './LiveMark.module.css'

/** Whether what is shown is what is true now. */
export function LiveMark() {
  const { phase, heardAt } = useSnapshot(live)
  const word = { live: 'Live', connecting: 'Connecting', stale: `As of ${timeText(heardAt)}`, offline: 'Offline' }[
    phase
  ]
  return (
    <output className={classes.mark} data-phase={phase} aria-label={`Connection: ${word}`} title={word}>
      <span className={classes.dot} aria-hidden />
      <span className={classes.word} aria-hidden>
        {word}
      </span>
    </output>
  )
}
