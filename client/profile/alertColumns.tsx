import { type AlertClass, type Schedule, alertClassLabels } from '#events/schedules.ts'
import type { Storage } from '#events/storages.ts'
import { CronCell } from '../parts/cron/CronCell.tsx'
import { LastRun } from '../parts/cron/LastRun.tsx'
import { cronPresets, presetOf } from '../parts/cron/cronText.ts'
import type { Column } from '../ui/column.ts'
import { EditAction, RemoveAction, RowActions } from '../ui/RowActions.tsx'
import classes from './Profile.module.css'

type Actions = Record<'edit' | 'remove', (alert: Schedule) => void>
type Volumes = readonly Storage[] | undefined

export const alertColumns = ({ volumes, ...actions }: Actions & { volumes: Volumes }): Column<Schedule>[] => [
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
    cell: ({ payload }) => ('threshold' in payload ? `${payload.threshold} %` : '-'),
  },
  {
    key: 'resources',
    title: 'Resources',
    wideOnly: true,
    cell: (alert) => <div className={classes.wrapped}>{resourcesOf(alert, volumes)}</div>,
  },
  {
    key: 'cron',
    title: 'Frequency',
    wideOnly: true,
    cell: ({ cron, nextRuns, paused }) => (
      <div className={classes.cell}>
        {cronPresets[presetOf(cron)].label}
        <CronCell cron={cron} nextRuns={nextRuns} isPaused={paused} />
      </div>
    ),
  },
  { key: 'lastRun', title: 'Last run', wideOnly: true, cell: ({ lastRun }) => <LastRun run={lastRun} /> },
  { key: 'action', title: 'Action', align: 'right', cell: (alert) => <Deeds alert={alert} {...actions} /> },
]

function resourcesOf({ payload }: Schedule, volumes: Volumes): string {
  if (!('resourceIds' in payload) || !volumes) return ''
  return payload.resourceIds
    .map((id) => volumes.find((volume) => volume.id === id)?.name ?? `Invalid (${id})`)
    .join(', ')
}

function Deeds({ alert, edit, remove }: Actions & { alert: Schedule }) {
  const { name } = alert
  return (
    <RowActions>
      <EditAction label={`Edit alert ${name}`} onClick={() => edit(alert)} />
      <RemoveAction label={`Delete alert ${name}`} onClick={() => remove(alert)} />
    </RowActions>
  )
}
