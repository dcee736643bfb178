import type { ReactNode } from 'react'
import classes from './SplitView.module.css'

type SplitViewProps = { above: ReactNode; list: ReactNode; details: ReactNode; isReplay?: boolean }

/** Full-height layout: controls above, the list of events, and the selected event next to it. */
export function SplitView({ above, list, details, isReplay = false }: SplitViewProps) {
  return (
    <div className={classes.screen} data-replay={isReplay}>
      <div className={classes.above}>{above}</div>
      <div className={classes.sides} data-details={Boolean(details)}>
        <div className={classes.list}>{list}</div>
        {details && <div className={classes.details}>{details}</div>}
      </div>
    </div>
  )
}
