import { useSnapshot } from 'valtio'
import { liveDashboard } from '#client/app/live/dashboard.state.ts'
import { liveJobs } from '#client/app/live/jobs.state.ts'
import { live } from '#client/app/live/live.state.ts'
import { DemoMark } from '#client/ui/DemoMark.tsx'
import { dayText, momentText, timeText } from '#client/ui/text/moment.ts'
import { counted } from '#client/ui/text/count.ts'
import { useFiringCount } from './useWallData.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { productName } from '#client/ui/productName.ts'
import classes from './Wall.module.css'

/** Product, title, connection status and clock. */
export function WallHeader({ title }: { title: string }) {
  const { phase, lastMessageAt } = useSnapshot(live)
  const updatedAt = Math.max(useSnapshot(liveDashboard).updatedAt ?? 0, useSnapshot(liveJobs).updatedAt ?? 0)
  const isStale = phase === 'stale' || phase === 'offline'
  return (
    <header className={classes.header}>
      <p className={classes.product}>{productName}</p>
      <h1 className={classes.title}>{title}</h1>
      <DemoMark />
      {isStale ? (
        <p className={classes.stale}>
          <span className={classes.staleWord}>{phase === 'stale' ? 'Data is stale' : 'Offline, data is stale'}</span>
          <span className={classes.asOf}>As of {whenText(lastMessageAt)}</span>
        </p>
      ) : (
        <p className={classes.live} data-phase={phase}>
          <span className={classes.dot} aria-hidden />
          <span className={classes.phase}>{phase === 'live' ? 'Live' : 'Connecting'}</span>
          {updatedAt > 0 && <span className={classes.eventAt}>Updated {whenText(updatedAt)}</span>}
        </p>
      )}
      <Firing />
      <Clock />
    </header>
  )
}

/** Number of firing alerts; nothing without any. */
function Firing() {
  const firing = useFiringCount().data?.firing ?? 0
  return firing > 0 && <p className={classes.firing}>{counted(firing, 'alert')} firing</p>
}

/** Time of day in hours and minutes, with the date. */
function Clock() {
  const now = useNow()
  return (
    <p className={classes.clock}>
      <span className={classes.time}>{timeText(now).slice(0, 'HH:mm'.length)}</span>
      <span className={classes.today}>{dayText(now)}</span>
    </p>
  )
}

/** Time, with the date unless it is today. */
const whenText = (at: number): string => (dayText(at) === dayText(Date.now()) ? timeText(at) : momentText(at))
