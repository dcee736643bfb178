import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHourglass,
  IconPlayerPause,
  IconProgress,
  type Icon,
} from '@tabler/icons-react'
import { type JobStatus, isOpen } from '#events/jobs/events.ts'
import { shareOfResult } from '#client/parts/job-words/jobShare.ts'
import { jobSubject, reasonText } from '#client/parts/job-words/jobWords.ts'
import { compactCount, percentText } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import type { JobLine } from './jobLines.ts'
import { type WallTone, WallState } from './WallFigure.tsx'
import classes from './Boards.module.css'

type Look = { icon: Icon; tone: WallTone; word: string }

const failure: Look = { icon: IconAlertOctagon, tone: 'critical', word: 'Failed' }
const pending: Look = { icon: IconHourglass, tone: 'quiet', word: 'Waiting' }
const looks: Record<JobStatus, Look> = {
  NEW: pending,
  AVAILABLE: pending,
  WAITING: { icon: IconPlayerPause, tone: 'quiet', word: 'Paused' },
  RUNNING: { icon: IconProgress, tone: 'ok', word: 'Running' },
  SUCCESS: { icon: IconCircleCheck, tone: 'good', word: 'Done' },
  WARNING: { icon: IconAlertTriangle, tone: 'warn', word: 'Warning' },
  SCANNER_ERROR: failure,
  FAILURE: failure,
  CANCELLED: { icon: IconCircleX, tone: 'quiet', word: 'Cancelled' },
}

type Work = { job: JobLine['job']; scan?: JobLine['scan'] | undefined }

/** Cells of a job: state, subject, and what it does or how it ended. */
export function JobCells({ job, scan }: Work) {
  const { icon, tone, word } = looks[job.status]
  const hasEnded = !isOpen(job)
  return (
    <>
      <WallState icon={icon} tone={tone}>
        {word}
      </WallState>
      <span className={classes.name}>{scan?.volumeName ?? jobSubject(job)}</span>
      <span className={classes.place}>{hasEnded ? reasonText(job) : placeOf({ job, scan })}</span>
      <span className={classes.detail}>{hasEnded ? momentText(job.updatedAt) : paceOf({ job, scan })}</span>
    </>
  )
}

/** Current path or step. */
function placeOf({ job, scan }: Work): string {
  if (scan?.state === 'committing') return 'Saving the snapshot'
  return scan?.progress?.currentPath ?? (scan ? '' : (job.agentName ?? ''))
}

/** Speed or progress. */
function paceOf({ job, scan }: Work): string {
  const share = shareOfResult(job)
  if (scan?.state === 'running') return `${Object.values(compactCount(scan.progress?.rate ?? 0)).join(' ')} entries/s`
  return share === undefined ? `Job ${job.id}` : percentText(share)
}
