import { Switch } from '@mantine/core'
import { type AlertClass, type Schedule, alertClassLabels } from '#events/schedules/calls.ts'
import { CronCell } from '#client/parts/cron/CronCell.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { EditAction, RemoveAction, RowActions, SendTestAction } from '#client/ui/table/RowActions.tsx'
import { sizeWords } from '#client/ui/text/size.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import type { AlertResources } from './alertResources.ts'
import { AlertState, LastSent } from './AlertState.tsx'
import { alertTexts, limitText } from './alertWords.ts'
import classes from './Alerts.module.css'

type Actions = Record<'edit' | 'remove' | 'test', (alert: Schedule) => void> & {
  pause: (alert: Schedule, paused: boolean) => void
  busy: boolean
}

/** On small screens, the state is below the name, which would have no room next to it. */
export const alertColumns = ({
  resources,
  isNarrow,
  ...actions
}: Actions & { resources: AlertResources; isNarrow: boolean }): Column<Schedule>[] => [
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
  { key: 'sent', title: 'Last sent', wideOnly: true, cell: ({ alert }) => <LastSent sent={alert?.lastSent ?? null} /> },
  {
    key: 'cron',
    title: 'Frequency',
    wideOnly: true,
    cell: ({ cron, nextRuns, paused }) => <CronCell cron={cron} nextRuns={nextRuns} isPaused={paused} />,
  },
  {
    key: 'active',
    title: 'Active',
    cell: (alert) => (
      <Switch
        aria-label={`${alert.name} is active`}
        checked={!alert.paused}
        disabled={actions.busy}
        onChange={({ currentTarget }) => actions.pause(alert, !currentTarget.checked)}
      />
    ),
  },
  { key: 'action', title: 'Action', align: 'right', cell: (alert) => <RowButtons alert={alert} {...actions} /> },
]

/** Name with the type, limit and watched objects. */
function Name({ alert, resources }: { alert: Schedule; resources: AlertResources }) {
  const base = useSizeBase()
  const { name, jobClass, payload } = alert
  const limit = limitText(payload, (bytes) => sizeWords(bytes, base))
  return (
    <div className={classes.cell}>
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

function RowButtons({ alert, edit, remove, test, busy }: Actions & { alert: Schedule }) {
  const { name } = alert
  const whyNot = busy ? 'Sending …' : alert.alert?.isOwnerDeleted === true && 'Turn it on first'
  return (
    <RowActions>
      <SendTestAction label={`Send test of alert ${name}`} whyNot={whyNot} onClick={() => test(alert)} />
      <EditAction label={`Edit alert ${name}`} onClick={() => edit(alert)} />
      <RemoveAction label={`Delete alert ${name}`} onClick={() => remove(alert)} />
    </RowActions>
  )
}
