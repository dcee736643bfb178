import { IconAlertOctagon, IconHourglass, IconPlayerPause, IconProgress } from '@tabler/icons-react'
import type { CheckedReport } from '#events/reports/runs.ts'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import { jobSubject, reasonText } from '#client/parts/job-words/jobWords.ts'
import { shareOfResult } from '#client/parts/job-words/jobShare.ts'
import { compactCount, percentText } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { useDashboardAndJobs, useReportChecks } from '#client/wall/useWallData.ts'
import { type JobLine, jobLines } from './jobLines.ts'
import { CountFigure, WallState } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

const nothing = new Map()

/** Failed report checks, failed jobs of the last day, running and waiting jobs. */
export function JobsBoard() {
  const { dashboard, jobs } = useDashboardAndJobs()
  const { data: checks } = useReportChecks()
  const { failed, running, waiting, lines } = jobLines(jobs ?? nothing, dashboard, useNow())
  const failedChecks = (checks ?? []).filter(({ state }) => state === 'FAILED')
  const rows: BoardLine[] = [...failedChecks.map((check) => ({ check, key: `check-${check.id}` })), ...lines]
  return (
    <>
      <dl className={classes.figures}>
        <CountFigure label="Failed in 24 h" of={jobs && failed} {...(failed > 0 && { tone: 'critical' })} />
        <CountFigure label="Running" of={jobs && running} />
        <CountFigure label="Waiting" of={jobs && waiting} />
        {checks && checks.length > 0 && (
          <CountFigure
            label="Failed checks"
            of={failedChecks.length}
            {...(failedChecks.length > 0 && { tone: 'critical' })}
          />
        )}
      </dl>
      <WallList
        title="Failures first"
        rows={jobs && rows}
        rowKey={({ key }) => key}
        empty="No failures in 24 h and no running jobs"
      >
        {(line) => ('check' in line ? <CheckLine check={line.check} /> : <Line {...line} />)}
      </WallList>
    </>
  )
}

type BoardLine = JobLine | { check: CheckedReport; key: string }

function CheckLine({ check: { name, reason, at } }: { check: CheckedReport }) {
  return (
    <>
      <WallState icon={IconAlertOctagon} tone="critical">
        Check failed
      </WallState>
      <span className={classes.name}>{name}</span>
      <span className={classes.place}>{reason}</span>
      <span className={classes.detail}>{at && momentText(at)}</span>
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
      <span className={classes.name}>{scan?.volumeName ?? jobSubject(job)}</span>
      <span className={classes.place}>{isBad ? reasonText(job) : placeOf({ job, scan })}</span>
      <span className={classes.detail}>{isBad ? momentText(job.updatedAt) : paceOf({ job, scan })}</span>
    </>
  )
}

const pausedOrNot = (status: string) => (status === 'WAITING' ? IconPlayerPause : IconHourglass)

type Work = { job: JobLine['job']; scan: JobLine['scan'] }

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
