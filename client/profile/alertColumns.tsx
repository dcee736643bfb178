import { type AlertClass, type Schedule, alertClassLabels } from '#events/schedules/calls.ts'
import { CronCell } from '#client/parts/cron/CronCell.tsx'
import { LastRun } from '#client/parts/cron/LastRun.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { EditAction, RemoveAction, RowActions } from '#client/ui/table/RowActions.tsx'
import type { AlertResources } from './alertResources.ts'
import { counted } from '#client/ui/text/count.ts'
import classes from './Profile.module.css'

type Actions = Record<'edit' | 'remove', (alert: Schedule) => void>

export const alertColumns = ({
  resources,
  ...actions
}: Actions & { resources: AlertResources }): Column<Schedule>[] => [
  { key: 'name', title: 'Name', cell: ({ name }) => <span className={classes.name}>{name}</span> },
  {
    key: 'type',
    title: 'Type',
    wideOnly: true,
    cell: ({ jobClass }) => alertClassLabels[jobClass as AlertClass],
  },
  {
    key: 'threshold',
    title: 'Threshold',
    align: 'right',
    cell: ({ payload }) => thresholdText(payload),
  },
  {
    key: 'resources',
    title: 'Resources',
    wideOnly: true,
    cell: (alert) => <div className={classes.wrapped}>{namesOf(alert, resources)}</div>,
  },
  {
    key: 'cron',
    title: 'Frequency',
    wideOnly: true,
    cell: ({ cron, nextRuns, paused }) => (
      <div className={classes.cell}>
        <CronCell cron={cron} nextRuns={nextRuns} isPaused={paused} />
      </div>
    ),
  },
  { key: 'lastRun', title: 'Last run', wideOnly: true, cell: ({ lastRun }) => <LastRun run={lastRun} /> },
  { key: 'action', title: 'Action', align: 'right', cell: (alert) => <RowButtons alert={alert} {...actions} /> },
]

/** `80 %`, or `+20 % in 7 days` */
function thresholdText(payload: Schedule['payload']): string {
  if (!('threshold' in payload)) return '-'
  const days = 'growthDays' in payload ? payload.growthDays : undefined
  return days === undefined ? `${payload.threshold} %` : `+${payload.threshold} % in ${counted(days, 'day')}`
}

function namesOf({ jobClass, payload }: Schedule, resources: AlertResources): string {
  const known = resources[jobClass as AlertClass]?.data
  if (!('resourceIds' in payload) || !known) return ''
  return payload.resourceIds.map((id) => known.find((one) => one.id === id)?.name ?? `Invalid (${id})`).join(', ')
}

function RowButtons({ alert, edit, remove }: Actions & { alert: Schedule }) {
  const { name } = alert
  return (
    <RowActions>
      <EditAction label={`Edit alert ${name}`} onClick={() => edit(alert)} />
      <RemoveAction label={`Delete alert ${name}`} onClick={() => remove(alert)} />
    </RowActions>
  )
}
