import { lazy, Suspense, useState } from 'react'
import { useParams } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import { reports } from '#events/reports/calls.ts'
import type { Report } from '#events/reports/templates.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useBackToList } from '#client/app/useBackToList.ts'
import { CheckBadge } from '#client/parts/report-check/CheckBadge.tsx'
import { DeleteReport } from '#client/reports/actions/DeleteReport.tsx'
import { LaunchReport } from '#client/reports/actions/LaunchReport.tsx'
import type { RowAction } from '#client/reports/reportColumns.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { FoundCard } from './FoundCard.tsx'
import { ParametersCard } from './ParametersCard.tsx'
import { ReportActions } from './ReportActions.tsx'
import { RunsCard } from './RunsCard.tsx'
import { SummaryCard } from './SummaryCard.tsx'
import { TopEntries } from './TopEntries.tsx'
import classes from './Report.module.css'

const ReportWizard = lazy(() =>
  import('#client/reports/wizard/ReportWizard.tsx').then((m) => ({ default: m.ReportWizard })),
)

/** A report with its parameters and results. */
export function ReportPage() {
  const { id = '' } = useParams<{ id: string }>()
  return <KnownReport key={id} id={Number(id)} />
}

function KnownReport({ id }: { id: number }) {
  const list = useLinks().reports()
  const report = useRemote(reports.find, { params: { id } }, 'reports')
  const [open, setOpen] = useState<RowAction>()
  useBackToList(report, list, reports.find.failure)
  const { data } = report
  const close = () => setOpen(undefined)
  return (
    <Page
      // Another page than the skeleton, whose header has fewer lines on small screens.
      key={data ? 'loaded' : 'loading'}
      title={data?.name ?? 'Report'}
      leading={data?.check && <CheckBadge check={data.check} />}
      actions={data && <ReportActions report={data} onAction={setOpen} />}
    >
      <RemoteContent remote={report} skeleton={<Skeleton rows={10} />}>
        {(data) => <Cards report={data} remote={report} />}
      </RemoteContent>
      <LaunchReport report={open === 'launch' ? data : undefined} onClose={close} />
      <DeleteReport
        report={open === 'delete' ? data : undefined}
        onClose={close}
        onDeleted={() => navigate(list, { replace: true })}
      />
      <Suspense fallback={null}>{open === 'edit' && <ReportWizard id={id} onClose={close} />}</Suspense>
    </Page>
  )
}

function Cards({ report, remote }: { report: Report; remote: Loadable<Report> }) {
  return (
    <div className="stack in-order gap-12">
      <div className={`halves ${classes.thirds}`}>
        <SummaryCard report={report} remote={remote} />
        <FoundCard report={report} />
        <ParametersCard report={report} />
      </div>
      <RunsCard report={report} />
      {report.reportTag !== null && (
        <div className="halves start">
          <TopEntries report={report} reportTag={report.reportTag} kind="files" />
          <TopEntries report={report} reportTag={report.reportTag} kind="folders" />
        </div>
      )}
    </div>
  )
}
