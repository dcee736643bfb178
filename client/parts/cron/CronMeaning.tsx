import { CronWords } from './CronWords.tsx'
import { NextTimes } from './NextTimes.tsx'
import classes from './CronInput.module.css'

/** Description and next runs of an expression; empty for an invalid one. */
export function CronMeaning({ cron }: { cron: string }) {
  return (
    <div className={classes.meaning}>
      {cron === '' ? (
        <p className="muted small">The next runs appear here once the times are valid.</p>
      ) : (
        <>
          <p className="strong" aria-live="polite">
            <CronWords cron={cron} />
          </p>
          <NextTimes cron={cron} />
        </>
      )}
    </div>
  )
}
