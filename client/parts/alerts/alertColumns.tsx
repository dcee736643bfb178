import { type AlertClass, type Schedule, alertClassLabels } from '#events/schedules/calls.ts'
import { CronCell } from '#client/parts/cron/CronCell.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import type { AlertResources } from './alertResources.tsx'
import { AlertState, LastSent } from './AlertState.tsx'
import { alertTexts, limitText } from './alertWords.ts'
import classes from './Alerts.module.css'

/** On small screens, the state is below the name, which would have no room next to it. Narrower than a desktop, the last messages give way. */
export const alertColumns = (
  resources: AlertResources,
  { isNarrow, isMedium }: { isNarrow: boolean; isMedium: boolean },
  active: Column<Schedule>,
): Column<Schedule>[] => [
  {
    key: 'name',
    title: 'Name',
    cell: (alert) => (
      <>
        <Name alert={alert} resources={resources} />
        {isNarrow && <AlertState alert={alert} />}
      </>
    ),
  },
  ...(isNarrow ? [] : [{ key: 'state', title: 'State', cell: (alert: Schedule) => <AlertState alert={alert} /> }]),
  ...(isMedium
    ? []
    : [
        { key: 'sent', title: 'Last sent', cell: ({ alert }: Schedule) => <LastSent sent={alert?.lastSent ?? null} /> },
      ]),
  {
    key: 'cron',
    title: 'Frequency',
    wideOnly: true,
    cell: ({ jobClass, cron, nextRuns, paused }) =>
      jobClass === 'MASS_CHANGE_ALERT' ? (
        'While files change'
      ) : (
        <CronCell cron={cron} nextRuns={nextRuns.slice(0, 1)} isPaused={paused} />
      ),
  },
  active,
]

/** Name with the type, limit and watched objects. */
function Name({ alert, resources }: { alert: Schedule; resources: AlertResources }) {
  const base = useSizeBase()
  const { name, jobClass, payload } = alert
  const limit = limitText(payload, (bytes) => sizeWords(bytes, base))
  return (
    <div className={`${classes.cell} ${classes.name}`}>
      <span className="strong break wrapping">{name}</span>
      <span className={classes.quiet}>
        {alertClassLabels[jobClass as AlertClass]}
        {limit !== '' && `, ${limit}`}
      </span>
      <span className={classes.quiet}>{namesOf(alert, resources)}</span>
    </div>
  )
}

function namesOf({ jobClass, payload }: Schedule, resources: AlertResources): string {
  if (!('resourceIds' in payload)) return ''
  if (payload.all) return alertTexts[jobClass as AlertClass].all
  const known = resources[jobClass as AlertClass]?.data
  if (!known) return ''
  return payload.resourceIds.map((id) => known.find((one) => one.id === id)?.name ?? `Invalid (${id})`).join(', ')
}
