import { IconPlayerPause, IconPlayerPlay, IconRotateClockwise, IconX, type Icon } from '@tabler/icons-react'
import { actionOfType, rightsOf } from '#events/actions/actions.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { canRelaunch, canRelaunchRest } from './relaunch.ts'
import classes from './JobActions.module.css'

export type JobAction = 'pause' | 'resume' | 'relaunch' | 'remove'
/**
 * Handler for job actions; undefined without permission. Must be referentially stable, since rows render again when it
 * changes.
 */
export type JobActionHandler = ((action: JobAction, job: JobRow) => void) | undefined

/** Relaunching starts a scan or an action, which needs its own permission. */
function mayRelaunch(job: JobRow): boolean {
  const action = actionOfType(job.type)
  const needs = action ? rightsOf(action).needs : 'scans.start'
  return (action ? canRelaunchRest(job) : canRelaunch(job)) && userMay(session.user, needs)
}

/** Label and condition of each action. */
const jobActions: { action: JobAction; verb: string; icon: Icon; can: (job: JobRow) => boolean }[] = [
  { action: 'relaunch', verb: 'Relaunch', icon: IconRotateClockwise, can: mayRelaunch },
  { action: 'resume', verb: 'Resume', icon: IconPlayerPlay, can: ({ status }) => status === 'WAITING' },
  { action: 'pause', verb: 'Pause', icon: IconPlayerPause, can: (job) => isOpen(job) && job.status !== 'WAITING' },
  { action: 'remove', verb: 'Cancel', icon: IconX, can: isOpen },
]

/** Users with limits see scans of storages that they see as a whole, and control only their own jobs. */
export const actionsOf = (job: JobRow) =>
  session.user?.limits && !job.limits ? [] : jobActions.filter(({ can }) => can(job))

type JobActionsProps = { job: JobRow; onAction: JobActionHandler; isTabStop?: boolean }

/** Actions of a row as native buttons, which are cheap in long lists. */
export function JobActions({ job, onAction, isTabStop = false }: JobActionsProps) {
  if (!onAction) return null
  return (
    <span className={classes.actions}>
      {actionsOf(job).map(({ action, verb, icon: Sign }) => (
        <button
          key={action}
          type="button"
          className={classes.action}
          data-action={action}
          tabIndex={isTabStop ? 0 : -1}
          aria-label={`${verb} job ${job.id}`}
          title={verb}
          onClick={() => onAction(action, job)}
        >
          <Sign size={16} stroke={1.5} aria-hidden />
        </button>
      ))}
    </span>
  )
}
