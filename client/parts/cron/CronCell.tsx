import { CronWords } from './CronWords.tsx'
import { nextTexts } from './cronText.ts'
import classes from './Runs.module.css'

type CronCellProps = { cron: string; nextRuns: readonly string[]; isPaused: boolean }

/** A cron expression with its description and next run times. */
export function CronCell({ cron, nextRuns, isPaused }: CronCellProps) {
  return (
    <div className={classes.cron}>
      <code className={classes.text}>{cron}</code>
      <span className={classes.words}>
        <CronWords cron={cron} />
      </span>
      {isPaused ? (
        <span className={classes.quiet}>Paused</span>
      ) : nextRuns.length === 0 ? (
        <span className={classes.quiet}>No further runs</span>
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
