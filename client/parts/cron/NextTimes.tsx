import { useDebouncedValue } from '@mantine/hooks'
import { schedules } from '#events/schedules/calls.ts'
import { CallError } from '#client/app/call.ts'
import { fieldErrors } from '#client/app/form.ts'
import { useRemote } from '#client/app/remote.ts'
import { momentIn, ownTimeZone } from '#client/ui/text/timeZone.ts'
import classes from './CronInput.module.css'

const shownTimes = 3

/** The next three runs in the server's time zone, and in the user's if it differs. */
export function NextTimes({ cron }: { cron: string }) {
  const [debouncedCron] = useDebouncedValue(cron.trim(), 300)
  const { data, error } = useRemote(schedules.preview, { query: { cron: debouncedCron } })
  if (error) return <p className="muted small">{problemOf(error)}</p>
  if (!data) return <p className="muted small">Next runs …</p>
  const times = data.times.slice(0, shownTimes)
  const hasSeconds = times.some((at) => new Date(at).getSeconds() !== 0)
  const isElsewhere = data.timeZone !== ownTimeZone
  return (
    <>
      <p className="muted small">Next runs in the server's time zone ({data.timeZone})</p>
      <ol className={classes.times} data-elsewhere={isElsewhere}>
        {times.map((at) => (
          <li key={at}>
            <time dateTime={at}>
              {hasSeconds ? momentIn(data.timeZone, at) : momentIn(data.timeZone, at).slice(0, -3)}
            </time>
            {isElsewhere && <span className="muted"> · here {momentIn(ownTimeZone, at).slice(0, -3)}</span>}
          </li>
        ))}
      </ol>
    </>
  )
}

/** The server's error for the expression, or the error of the request. */
const problemOf = (error: Error): string =>
  (error instanceof CallError && fieldErrors(error.subErrors)['cron']) || error.message
