import { IconAlertOctagon, IconHourglass, IconPlayerPause, IconProgress } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { jobTypeLabels } from '#events/job-types.ts'
import { useNow } from '../ui/clock.ts'
import { compactCount, percentText } from '../ui/text/count.ts'
import { momentText } from '../ui/text/moment.ts'
import { type JobLine, hasFailed, jobLines, reasonOf } from './jobsOfWall.ts'
import { CountFigure } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import { WallState } from './WallState.tsx'
import { wall } from './wall.state.ts'
import classes from './Boards.module.css'

const nothing = new Map()

/** What failed in a day, what runs, and what waits. */
export function JobsBoard() {
  const { dashboard, jobs } = useSnapshot(wall) as typeof wall
  const { failed, running, waiting, lines } = jobLines(jobs ?? nothing, dashboard, useNow())
  return (
    <>
      <dl className={classes.figures}>
        <CountFigure label="Failed in 24 h" of={jobs && failed} {...(failed > 0 && { tone: 'critical' })} />
        <CountFigure label="Running" of={jobs && running} />
        <CountFigure label="Waiting" of={jobs && waiting} />
      </dl>
      <WallList
        title="Failures first"
        rows={jobs && lines}
        rowKey={({ key }) => key}
        empty="Nothing failed in 24 h, and nothing runs"
      >
        {(line) => <Line {...line} />}
      </WallList>
    </>
  )
}

function Line({ job, scan }: JobLine) {
  const isRunning = job.status === 'RUNNING'
  const isBad = hasFailed(job)
  const icon = isBad ? IconAlertOctagon : isRunning ? IconProgress : pausedOrNot(job.status)
  const word = isBad ? 'Failed' : isRunning ? 'Running' : job.status === 'WAITING' ? 'Paused' : 'Waiting'
  return (
    <>
      <WallState icon={icon} tone={isBad ? 'critical' : isRunning ? 'ok' : 'quiet'}>
        {word}
      </WallState>
      <span className={classes.name}>{scan?.volumeName ?? jobTypeLabels[job.type]}</span>
      <span className={classes.place}>{isBad ? reasonOf(job) : placeOf({ job, scan })}</span>
      <span className={classes.detail}>{isBad ? momentText(job.updatedAt) : paceOf({ job, scan })}</span>
    </>
  )
}

const pausedOrNot = (status: string) => (status === 'WAITING' ? IconPlayerPause : IconHourglass)

type Work = { job: JobLine['job']; scan: JobLine['scan'] }

/** Where it is. */
function placeOf({ job, scan }: Work): string {
  if (scan?.state === 'committing') return 'Saving the snapshot'
  return scan?.progress?.currentPath ?? (scan ? '' : (job.agentName ?? ''))
}

/** How fast or how far it is. */
function paceOf({ job, scan }: Work): string {
  const { tagged, toTag } = job.result ?? {}
  if (scan?.state === 'running') return `${Object.values(compactCount(scan.progress?.rate ?? 0)).join(' ')} entries/s`
  return toTag ? percentText((tagged ?? 0) / toTag) : `Job ${job.id}`
}
