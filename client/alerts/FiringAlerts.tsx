import { IconAlertOctagon, IconBellOff, IconCircleCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { type Incident, incidents } from '#events/schedules/incidents.ts'
import { type AlertClass, type Schedule, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { useFiring } from '#client/app/firing.ts'
import { type Links, linksAt, useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { session } from '#client/app/session.state.ts'
import { AlertState } from '#client/parts/alerts/AlertState.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import { momentText } from '#client/ui/text/moment.ts'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { MuteDialog } from './MuteDialog.tsx'
import classes from './FiringAlerts.module.css'

type FiringRow = Incident & { alert: Schedule | undefined }
type FiringProps = { onHistory: (alert: Pick<Schedule, 'id' | 'name'>) => void }

/** Firing alerts with their start, the next step and a mute, muted ones last. Below them, alerts that could not be evaluated. */
export function FiringAlerts({ onHistory }: FiringProps) {
  const { user } = useSnapshot(session)
  const { firing, loud } = useFiring()
  const query = { jobGroup: 'ALERT', userId: Number(user?.id) } as const
  const { data: alerts } = useRemote(schedules.list, { query }, 'schedules', 'notifications')
  const [muting, mute] = useState<FiringRow>()
  const rows = useMemo(
    () =>
      (firing.data ?? [])
        .map((incident) => ({ ...incident, alert: alerts?.find(({ id }) => id === incident.alertId) }))
        .toSorted((a, b) => Number(a.mute !== null) - Number(b.mute !== null)),
    [firing.data, alerts],
  )
  const links = useLinks()
  const columns = useMemo(() => firingColumns(links, mute), [links])
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    const row = key === 'm' && rows[Number((target as HTMLElement).closest('tr')?.dataset['index'] ?? -1)]
    if (row) mute(row)
  }
  return (
    <div className="stack gap-16">
      <Card title="Firing now" note={loud} remote={firing}>
        {() =>
          rows.length === 0 ? (
            <NothingFiring alerts={alerts} />
          ) : (
            // The keys of its rows arrive here.
            // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
            <div className={classes.list} onKeyDown={onKeyDown}>
              <VirtualTable
                label="Firing alerts"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                stateOf={({ mute }) => String(mute !== null)}
                onOpen={({ alert }) => alert && onHistory(alert)}
              />
            </div>
          )
        }
      </Card>
      <NotEvaluated alerts={alerts} />
      <MuteDialog muting={muting} onClose={() => mute(undefined)} />
    </div>
  )
}

/** Also says when it was last checked; without any alert, what they are for. */
function NothingFiring({ alerts }: { alerts: Schedule[] | undefined }) {
  if (alerts?.length === 0)
    return (
      <Notice icon={IconCircleCheck}>
        Nothing is watched yet. Add an alert to learn when a storage or project fills up, a scan fails, or a report
        check fails.
      </Notice>
    )
  const [last] = (alerts ?? []).flatMap(({ alert }) => alert?.evaluatedAt ?? []).toSorted((a, b) => b.localeCompare(a))
  return (
    <Notice icon={IconCircleCheck}>
      Nothing is firing. {last ? `Last check ${momentText(last)}.` : 'Not checked yet.'}
    </Notice>
  )
}

/** Alerts whose last check failed, with the time of the next one. */
function NotEvaluated({ alerts = [] }: { alerts: Schedule[] | undefined }) {
  const shown = alerts.filter(({ alert, paused }) => alert?.state === 'unknown' && !paused)
  if (shown.length === 0) return null
  return (
    <Panel title="Can't be evaluated" note={shown.length}>
      <ul className="stack inset-8">
        {shown.map((alert) => (
          <li key={alert.id} className={classes.unknown}>
            <span className="strong break">{alert.name}</span>
            <AlertState alert={alert} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const unmute = (id: number) => call(incidents.unmute, { params: { id } })

const firingColumns = (links: Links, mute: (row: FiringRow) => void): Column<FiringRow>[] => [
  {
    key: 'text',
    title: 'What',
    grows: true,
    cell: ({ text, mute }) => {
      const Sign = mute ? IconBellOff : IconAlertOctagon
      return (
        <span className={classes.what} data-tone={mute ? 'quiet' : 'critical'}>
          <Sign size={16} stroke={1.5} aria-label={mute ? 'Muted' : 'Firing'} /> {text}
        </span>
      )
    },
  },
  { key: 'alert', title: 'Alert', width: '13rem', room: 'wide', cell: ({ alert }) => alert?.name },
  { key: 'since', title: 'Since', width: '9rem', room: 'small', cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { key: 'for', title: 'For', width: '6rem', cell: ({ startedAt }) => <Elapsed since={startedAt} /> },
  {
    key: 'todo',
    title: 'What to do',
    width: '14rem',
    room: 'small',
    cell: ({ alert, watchedId, path }) => {
      if (!alert) return ''
      const { label, to } = todos[alert.jobClass as AlertClass](links, watchedId, path)
      return (
        <Link href={to} tabIndex={-1}>
          {label}
        </Link>
      )
    },
  },
  {
    key: 'mute',
    title: 'Mute',
    width: 'clamp(5rem, 21cqi, 14rem)',
    cell: (row) => (
      <button
        type="button"
        className={classes.mute}
        tabIndex={-1}
        aria-label={`${row.mute ? 'Unmute' : 'Mute'}: ${row.text}`}
        onClick={() => (row.mute ? void unmute(row.id) : mute(row))}
      >
        {row.mute
          ? `Unmute (muted ${row.mute.until ? `to ${momentText(row.mute.until).slice(5)}` : 'until fixed'})`
          : 'Mute'}
      </button>
    ),
  },
]

/** Next step for each type of alert, on the page of the watched object. */
const todos: Record<AlertClass, (links: Links, id: number, path?: string) => { label: string; to: string }> = {
  VOLUME_SPACE_ALERT: (links, id) => ({ label: 'See what can be moved', to: links.volume(id) }),
  PROJECT_SPACE_ALERT: (links, id) => ({ label: 'See what uses the space', to: links.project(id) }),
  SCAN_FAILED_ALERT: (links, id) => ({ label: 'Read why, and scan again', to: links.volume(id) }),
  SCAN_OVERDUE_ALERT: (links, id) => ({ label: 'Scan it, or add a schedule', to: links.volume(id) }),
  REPORT_CHECK_ALERT: (links, id) => ({ label: 'See what was found', to: links.report(id) }),
  MASS_CHANGE_ALERT: (_, volumeId, path = '/') => ({
    label: 'See the folder as it is now',
    to: linksAt('now').fileManagement({ volumeId, path }),
  }),
}
