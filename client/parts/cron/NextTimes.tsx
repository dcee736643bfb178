import { useDebouncedValue } from '@mantine/hooks'
import { schedules } from '#events/schedules.ts'
import { useRemote } from '../../app/remote.ts'
import { momentText } from '../../ui/text/moment.ts'
import { momentIn, ownTimeZone } from '../../ui/text/timeZone.ts'
import classes from './CronInput.module.css'

/** The next times of an expression, as the clock of the server shows them; beside them one's own where it differs. */
export function NextTimes({ cron }: { cron: string }) {
  const [asked] = useDebouncedValue(cron.trim(), 300)
  const { data, error } = useRemote(schedules.preview, { query: { cron: asked } })
  if (error) return <p className={classes.unknown}>{error.message}</p>
  if (!data) return <p className={classes.unknown}>Next times …</p>
  if (data.times.length === 0) return <p className={classes.unknown}>It never comes again.</p>
  const isElsewhere = data.timeZone !== ownTimeZone
  return (
    <>
      <p className={classes.zone}>Next times, in the server's time zone ({data.timeZone})</p>
      <ol className={classes.times}>
        {data.times.map((at) => (
          <li key={at}>
            <time dateTime={at}>{momentIn(data.timeZone, at)}</time>
            {isElsewhere && <span className={classes.own}> · here {momentText(at)}</span>}
          </li>
        ))}
      </ol>
    </>
  )
}
