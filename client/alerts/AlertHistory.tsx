import { IconHistory } from '@tabler/icons-react'
import { type Incident, incidents } from '#events/schedules/incidents.ts'
import { useRemote } from '#client/app/remote.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { durationText } from '#client/ui/text/duration.ts'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import classes from './FiringAlerts.module.css'

type AlertHistoryProps = { alert: { id: number; name: string } | undefined; onClose: () => void }

/** Times that an alert fired, the newest first, with their durations. Closed without an alert. */
export function AlertHistory({ alert, onClose }: AlertHistoryProps) {
  const history = useRemote(incidents.history, alert && { params: { id: alert.id } }, 'schedules')
  return (
    <Dialog opened={alert !== undefined} onClose={onClose} size="L" title={`History of ${alert?.name ?? ''}`}>
      <RemoteContent remote={history}>
        {(rows) => (
          <div className={classes.history}>
            <DataTable
              label="History"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              empty={<Notice icon={IconHistory}>This alert never fired. Its history is kept for a year.</Notice>}
            />
          </div>
        )}
      </RemoteContent>
    </Dialog>
  )
}

const columns: Column<Incident>[] = [
  { key: 'text', title: 'What', grows: true, cell: ({ text }) => <span className="wrapping">{text}</span> },
  { key: 'from', title: 'From', cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { key: 'to', title: 'To', wideOnly: true, cell: ({ endedAt }) => (endedAt ? <Moment at={endedAt} /> : 'Firing') },
  {
    key: 'duration',
    title: 'Duration',
    align: 'right',
    cell: ({ startedAt, endedAt }) =>
      endedAt ? durationText(Date.parse(endedAt) - Date.parse(startedAt)) : <Elapsed since={startedAt} />,
  },
]
