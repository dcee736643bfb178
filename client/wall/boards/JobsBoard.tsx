import { IconAlertOctagon } from '@tabler/icons-react'
import type { CheckedReport } from '#events/reports/runs.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { useDashboardAndJobs, useReportChecks } from '#client/wall/useWallData.ts'
import { JobCells } from './JobCells.tsx'
import { type JobLine, jobLines } from './jobLines.ts'
import { CountFigure, WallState } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

const nothing = new Map()

/** Failed report checks, failed jobs and warnings of the last day, running and waiting jobs. */
export function JobsBoard() {
  const { dashboard, jobs } = useDashboardAndJobs()
  const { data: checks } = useReportChecks()
  const { failed, warned, running, waiting, lines } = jobLines(jobs ?? nothing, dashboard, useNow())
  const failedChecks = (checks ?? []).filter(({ state }) => state === 'FAILED')
  const rows: BoardLine[] = [...failedChecks.map((check) => ({ check, key: `check-${check.id}` })), ...lines]
  return (
    <>
      <dl className={classes.figures}>
        <CountFigure label="Failed in 24 h" of={jobs && failed} {...(failed > 0 && { tone: 'critical' })} />
        <CountFigure label="Warnings in 24 h" of={jobs && warned} {...(warned > 0 && { tone: 'warn' })} />
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
        empty="No failures or warnings in 24 h and no running jobs"
      >
        {(line) => ('check' in line ? <CheckLine check={line.check} /> : <JobCells {...line} />)}
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
