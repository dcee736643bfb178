import {
  IconAlertOctagon,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconHelpCircle,
  type Icon,
} from '@tabler/icons-react'
import type { AlertStatus, DeliveryState } from '#events/schedules/alerts.ts'
import type { Schedule } from '#events/schedules/calls.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { StatusBadge, type Tone } from '#client/ui/values/StatusBadge.tsx'
import classes from './Alerts.module.css'

type Look = { icon: Icon; tone: Tone; word: string }

const states: Record<NonNullable<AlertStatus['state']>, Look> = {
  ok: { icon: IconCircleCheck, tone: 'good', word: 'OK' },
  firing: { icon: IconAlertOctagon, tone: 'critical', word: 'Firing' },
  unknown: { icon: IconHelpCircle, tone: 'attention', word: "Can't be evaluated" },
}
const notEvaluated: Look = { icon: IconCircleDashed, tone: 'quiet', word: 'Not evaluated yet' }

/** State of an alert with its start, or the time of the last check, and its reason; why a run failed, if nothing could be sent. */
export function AlertState({ alert: { alert, lastRun, nextRuns } }: { alert: Schedule }) {
  const { icon, tone, word } = alert?.state ? states[alert.state] : notEvaluated
  // Without the state, which is above it.
  const failure = lastRun?.outcome === 'failed' ? lastRun.reason?.replace(`; ${alert?.reason ?? ''}`, '') : undefined
  return (
    <div className={classes.cell} data-live>
      <span className="row wrap gap-2-8">
        <StatusBadge icon={icon} tone={tone}>
          {word}
        </StatusBadge>
        <CheckedAt alert={alert} next={nextRuns[0]} />
      </span>
      {alert?.reason && <span className={classes.reason}>{alert.reason}</span>}
      {alert?.isOwnerDeleted && (
        <span className={classes.reason}>Paused: its owner was deleted. Turn it on to make it yours.</span>
      )}
      {alert?.isWebhookLost && (
        <span className={classes.reason}>
          Its webhook can no longer be decrypted. Edit the alert and select a channel.
        </span>
      )}
      {failure && <span className={classes.reason}>Not sent: {failure}</span>}
    </div>
  )
}

/** Start of a firing alert, otherwise the time of the last check; for one that failed, also of the next one. */
function CheckedAt({ alert, next }: { alert: AlertStatus | undefined; next: string | undefined }) {
  if (!alert?.evaluatedAt) return null
  const { evaluatedAt, firingSince, state } = alert
  return (
    <span className={classes.quiet} title={`Last check ${momentText(evaluatedAt)}`}>
      {firingSince ? 'since ' : 'Checked '}
      <Moment at={firingSince ?? evaluatedAt} />
      {state === 'unknown' && next && `, next try ${momentText(next)}`}
    </span>
  )
}

const deliveries: Record<DeliveryState['state'], Look> = {
  sent: { icon: IconCircleCheck, tone: 'good', word: 'Sent' },
  waiting: { icon: IconClock, tone: 'attention', word: 'Waiting' },
  failed: { icon: IconAlertOctagon, tone: 'critical', word: 'Failed' },
}

/** Time of the last messages, with the state of each recipient. */
export function LastSent({ sent }: { sent: AlertStatus['lastSent'] }) {
  if (!sent) return <span className={classes.quiet}>Never</span>
  return (
    <div className={classes.cell} data-live>
      <span className={classes.quiet}>
        <Moment at={sent.at} />
      </span>
      {sent.deliveries.map(({ to, state, reason }) => {
        const { icon, tone, word } = deliveries[state]
        return (
          <div key={to}>
            <StatusBadge icon={icon} tone={tone}>
              {word} · {to}
            </StatusBadge>
            {reason && state !== 'sent' && <div className={classes.reason}>{reason}</div>}
          </div>
        )
      })}
    </div>
  )
}
