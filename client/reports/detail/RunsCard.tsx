import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { type ReportRun, reportRuns } from '#events/reports/runs.ts'
import type { Report } from '#events/reports/templates.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { CheckBadge } from '#client/parts/report-check/CheckBadge.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { countText } from '#client/ui/text/count.ts'
import { durationText } from '#client/ui/text/duration.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { Facts } from '#client/ui/values/Facts.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { ComparedRuns } from './ComparedRuns.tsx'
import { RunStrip } from './RunStrip.tsx'
import { comparableRuns } from './runTicks.ts'
import { useFoundSearch } from './useFoundSearch.ts'
import classes from './Runs.module.css'

/** More are of no use in a strip that scrolls. */
const shownRuns = 100

/** Runs of a report with their results, and a comparison of two runs. */
export function RunsCard({ report }: { report: Report }) {
  const query = { size: shownRuns }
  const runs = useRemote(reportRuns.list, { params: { id: report.id }, query }, 'reports')
  return (
    <Card
      title="Run history"
      note={runs.data && countText(runs.data.total)}
      remote={runs}
      skeleton={<Skeleton rows={4} />}
    >
      {({ elements }) => {
        const [newest] = elements
        if (!newest) return <p className="muted inset">The report has not run yet.</p>
        return <Runs key={newest.id} id={report.id} runs={elements} newest={newest} />
      }}
    </Card>
  )
}

type RunsProps = { id: number; runs: readonly ReportRun[]; newest: ReportRun }

function Runs({ id, runs, newest }: RunsProps) {
  const [shownId, show] = useState(newest.id)
  const shown = runs.find((run) => run.id === shownId) ?? newest
  const comparable = comparableRuns(runs)
  return (
    <div className={classes.runs}>
      <RunStrip runs={runs} shown={shown} onShow={({ id }) => show(id)} />
      <RunFacts run={shown} />
      {comparable.length > 1 && <ComparedRuns key={shown.id} id={id} runs={comparable} shown={shown} />}
    </div>
  )
}

/** Emails and webhook of a run that have not arrived, and the number of those that have. */
function Deliveries({ deliveries }: { deliveries: NonNullable<ReportRun['deliveries']> }) {
  const sent = deliveries.filter(({ state }) => state === 'sent')
  const others = deliveries.filter(({ state }) => state !== 'sent')
  if (deliveries.length === 0) return null
  return (
    <ul className="muted break inset-8" aria-label="Recipients">
      {sent.length > 0 && <li>{`Sent to ${sent.map(({ to }) => to).join(', ')}`}</li>}
      {others.map(({ to, state, reason }) => (
        <li key={to} className={state === 'failed' ? 'critical' : undefined}>
          {state === 'failed' ? `Not delivered to ${to}` : `Waiting to be sent to ${to}`}
          {reason && `: ${reason}`}
        </li>
      ))}
    </ul>
  )
}

function RunFacts({ run }: { run: ReportRun }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const search = useFoundSearch({ reportTag: run.isKept ? run.reportTag : null, indexingDate: run.indexingDate })
  const { startedAt, endedAt, status, by, check, jobId, numberOfFilesFound, numberOfFoldersFound, sizeOfFilesFound } =
    run
  const figure = (value: number | null, text: (value: number) => string) => (value === null ? '-' : text(value))
  return (
    <section aria-label="Selected run">
      <header className={classes.head}>
        <h3 className="bold">{momentText(startedAt)}</h3>
        <JobStatusBadge status={status} />
        {check && <CheckBadge check={check} />}
        {search && (
          <Button
            component={Link}
            className="push"
            href={search('files')}
            variant="default"
            size="compact-sm"
            leftSection={<IconSearch size={14} stroke={1.5} aria-hidden />}
          >
            Show results
          </Button>
        )}
      </header>
      {(run.reason ?? check?.reason) && <p className="muted break inset-8">{run.reason ?? check?.reason}</p>}
      <Deliveries deliveries={run.deliveries ?? []} />
      <Facts
        facts={[
          { name: 'Files found', text: figure(numberOfFilesFound, countText) },
          { name: 'Folders found', text: figure(numberOfFoldersFound, countText) },
          { name: 'Size found', text: figure(sizeOfFilesFound, (bytes) => sizeWords(bytes, base)) },
          { name: 'Snapshot', text: run.indexingDate ?? '-' },
          { name: 'Launched by', text: by },
          { name: 'Duration', text: endedAt ? durationText(Date.parse(endedAt) - Date.parse(startedAt)) : '-' },
          { name: 'Job', text: <Link href={links.jobs(jobId)}>{`Job ${jobId}`}</Link> },
          { name: 'Results', text: run.isKept ? 'Kept' : 'No longer kept' },
        ]}
      />
    </section>
  )
}
