import { IconPlayerPause, IconPlayerPlay, IconRotateClockwise, IconX, type Icon } from '@tabler/icons-react'
import type { JobRow } from '#events/job-calls.ts'
import { isOpen } from '#events/jobs.ts'
import { canRelaunch } from './relaunch.ts'
import classes from './JobActions.module.css'

export type JobDeed = 'pause' | 'resume' | 'relaunch' | 'remove'
/** What can be done to a job; nothing for those who may not. Keep it the same, for rows are drawn anew with it. */
export type JobDeeds = ((deed: JobDeed, job: JobRow) => void) | undefined

/** What each deed is called, and when it can be done. */
const all: { deed: JobDeed; verb: string; icon: Icon; can: (job: JobRow) => boolean }[] = [
  { deed: 'relaunch', verb: 'Relaunch', icon: IconRotateClockwise, can: canRelaunch },
  { deed: 'resume', verb: 'Resume', icon: IconPlayerPlay, can: ({ status }) => status === 'WAITING' },
  { deed: 'pause', verb: 'Pause', icon: IconPlayerPause, can: (job) => isOpen(job) && job.status !== 'WAITING' },
  { deed: 'remove', verb: 'Cancel', icon: IconX, can: isOpen },
]

export const deedsOf = (job: JobRow) => all.filter(({ can }) => can(job))

type JobActionsProps = { job: JobRow; deeds: JobDeeds; isTabStop?: boolean }

/** The deeds of a row as plain buttons, which cost little in long lists. */
export function JobActions({ job, deeds, isTabStop = false }: JobActionsProps) {
  if (!deeds) return null
  return (
    <span className={classes.actions}>
      {deedsOf(job).map(({ deed, verb, icon: Sign }) => (
        <button
          key={deed}
          type="button"
          className={classes.action}
          data-deed={deed}
          tabIndex={isTabStop ? 0 : -1}
          aria-label={`${verb} job ${job.id}`}
          title={verb}
          onClick={() => deeds(deed, job)}
        >
          <Sign size={16} stroke={1.5} aria-hidden />
        </button>
      ))}
    </span>
  )
}
