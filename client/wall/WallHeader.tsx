import { useSnapshot } from 'valtio'
import { live } from '../app/live/live.state.ts'
import { dayText, momentText, timeText } from '../ui/text/moment.ts'
import { wall } from './wall.state.ts'
import classes from './Wall.module.css'

/** What is shown, and whether it is what is true now. */
export function WallHeader({ title }: { title: string }) {
  const { phase, heardAt } = useSnapshot(live)
  const { eventAt } = useSnapshot(wall)
  const isStale = phase === 'stale' || phase === 'offline'
  return (
    <header className={classes.header}>
      <h1 className={classes.title}>{title}</h1>
      {isStale ? (
        <p className={classes.stale}>
          <span className={classes.staleWord}>{phase === 'stale' ? 'Data is stale' : 'Offline, data is stale'}</span>
          <span className={classes.asOf}>As of {whenText(heardAt)}</span>
        </p>
      ) : (
        <p className={classes.live} data-phase={phase}>
          <span className={classes.dot} aria-hidden />
          <span className={classes.phase}>{phase === 'live' ? 'Live' : 'Connecting'}</span>
          {eventAt !== undefined && <span className={classes.eventAt}>Last event {whenText(eventAt)}</span>}
        </p>
      )}
    </header>
  )
}

/** The time; with its day when that is not today. */
const whenText = (at: number): string => (dayText(at) === dayText(Date.now()) ? timeText(at) : momentText(at))
