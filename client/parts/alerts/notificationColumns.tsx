import { IconAlertOctagon, IconCircleCheck, IconClock, type Icon } from '@tabler/icons-react'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { type JobNotification, notificationStatuses } from '#events/notifications/calls.ts'
import type { NotificationChannel } from '#events/notifications/channels.ts'
import type { Column } from '#client/ui/table/column.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { StatusBadge, type Tone } from '#client/ui/values/StatusBadge.tsx'
import classes from './Alerts.module.css'

/** Columns of job notifications. `known` are the channels of the user. */
export const notificationColumns = (known: readonly NotificationChannel[] = []): Column<JobNotification>[] => [
  {
    key: 'type',
    title: 'Type',
    cell: ({ type }) => <span className="strong">{jobTypeLabels[type]}</span>,
  },
  { key: 'status', title: 'Status', cell: ({ status }) => notificationStatuses[status] },
  {
    key: 'to',
    title: 'Recipients',
    wideOnly: true,
    cell: ({ email, channelIds, webhook, isWebhookLost }) => {
      const names = channelIds.flatMap((id) => known.find((one) => one.id === id)?.name ?? [])
      const lost = isWebhookLost && 'a webhook encrypted with a different server key'
      const all = [email && 'My address', ...names, webhook && new URL(webhook).host, lost]
      return <div className="break wrapping measure">{all.filter(Boolean).join(', ') || 'None'}</div>
    },
  },
  {
    key: 'lastDelivery',
    title: 'Last delivery',
    wideOnly: true,
    cell: ({ lastDelivery }) => <LastDelivery delivery={lastDelivery} />,
  },
]

type Delivery = NonNullable<JobNotification['lastDelivery']>
const states: Record<Delivery['state'], { icon: Icon; tone: Tone; word: string }> = {
  sent: { icon: IconCircleCheck, tone: 'good', word: 'Sent' },
  waiting: { icon: IconClock, tone: 'quiet', word: 'Waiting' },
  failed: { icon: IconAlertOctagon, tone: 'critical', word: 'Failed' },
}

function LastDelivery({ delivery }: { delivery: Delivery | null }) {
  if (!delivery) return '-'
  const { icon, tone, word } = states[delivery.state]
  return (
    <div className={classes.cell}>
      <span className="row gap-8">
        <StatusBadge icon={icon} tone={tone}>
          {word}
        </StatusBadge>
        <span className="muted">
          <Moment at={delivery.at} />
        </span>
      </span>
      {delivery.reason && <span className={classes.reason}>{delivery.reason}</span>}
    </div>
  )
}
