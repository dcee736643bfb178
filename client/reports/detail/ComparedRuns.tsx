import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import {
  type ReportRun,
  reportRuns,
  type RunComparison,
  type RunDifference,
  runDifferences,
} from '#events/reports/runs.ts'
import { useRemote } from '#client/app/remote.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import { ComparedEntries } from './ComparedEntries.tsx'
import classes from './Runs.module.css'

type ComparedRunsProps = {
  id: number
  /** Runs whose results are kept, newest first; at least two. */
  runs: readonly ReportRun[]
  shown: ReportRun
}

/** Compares the results of a run with those of an earlier one. */
export function ComparedRuns({ id, runs, shown }: ComparedRunsProps) {
  const to = runs.find((run) => run.id === shown.id) ?? (runs[0] as ReportRun)
  const others = runs.filter((run) => run.id !== to.id)
  const before = others.find((run) => run.id < to.id) ?? (others[0] as ReportRun)
  const [fromId, choose] = useState(before.id)
  const query = { from: fromId, to: to.id }
  const comparison = useRemote(reportRuns.compare, { params: { id }, query }, 'reports')
  return (
    <section className={classes.compared} aria-label="Comparison of two runs">
      <header className={classes.head}>
        <h3 className="bold">{`Run of ${momentText(to.startedAt)} compared with`}</h3>
        <NativeSelect
          aria-label="Run to compare with"
          data={others.map((run) => ({ value: String(run.id), label: momentText(run.startedAt) }))}
          value={String(fromId)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      </header>
      <RemoteContent remote={comparison} skeleton={<Skeleton rows={3} />}>
        {({ totals }) => <Differences id={id} query={query} totals={totals} />}
      </RemoteContent>
    </section>
  )
}

const differences = Object.keys(runDifferences) as RunDifference[]

type DifferencesProps = { id: number; query: { from: number; to: number }; totals: RunComparison['totals'] }

function Differences({ id, query, totals }: DifferencesProps) {
  const [difference, show] = useState<RunDifference>('NEW')
  const [kind, showKind] = useState<'files' | 'folders'>('files')
  const { files, folders } = totals[difference]
  return (
    <>
      <fieldset className={classes.totals} aria-label="Differences">
        {differences.map((each) => (
          <button
            key={each}
            type="button"
            className={classes.total}
            aria-pressed={each === difference}
            onClick={() => show(each)}
          >
            <span>{runDifferences[each]}</span>
            <strong className="heading text">{counted(totals[each].files, 'file')}</strong>
            <span>
              {counted(totals[each].folders, 'folder')}, <Size bytes={totals[each].bytes} />
            </span>
          </button>
        ))}
      </fieldset>
      <Segments
        className={classes.kinds}
        label="List"
        options={[
          { value: 'files', label: `Files ${countText(files)}` },
          { value: 'folders', label: `Folders ${countText(folders)}` },
        ]}
        chosen={kind}
        onChoose={showKind}
      />
      <ComparedEntries
        key={JSON.stringify([query, difference, kind])}
        id={id}
        query={{ ...query, difference, isDirectory: kind === 'folders' ? 'true' : 'false' }}
      />
    </>
  )
}
