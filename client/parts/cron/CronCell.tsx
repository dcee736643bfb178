import { CronWords } from './CronWords.tsx'
import { nextTexts } from './cronText.ts'
import classes from './Runs.module.css'

type CronCellProps = { cron: string; nextRuns: readonly string[]; isPaused: boolean }

/** Description of a cron expression, which is its tooltip, and the next run times. */
export function CronCell({ cron, nextRuns, isPaused }: CronCellProps) {
  return (
    <div className={classes.run}>
      <span className={classes.words} title={cron}>
        <CronWords cron={cron} />
      </span>
      {isPaused ? (
        <span className="muted small">Paused</span>
      ) : nextRuns.length === 0 ? (
        <span className="muted small">No further runs</span>
      ) : (
        <ol className={classes.next} aria-label="Next runs">
          {nextTexts(nextRuns).map((text, index) => (
            <li key={nextRuns[index]}>
              <time dateTime={nextRuns[index]}>{text}</time>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
