import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { navigate } from '#client/app/place/navigate.ts'
import { reports } from '#events/reports/calls.ts'
import type { ListedReport } from '#events/reports/templates.ts'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Card } from '#client/ui/Card.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { PagedTable } from '#client/parts/pagination/PagedTable.tsx'
import { countText } from '#client/ui/text/count.ts'
import { DeleteReport } from './actions/DeleteReport.tsx'
import { LaunchReport } from './actions/LaunchReport.tsx'
import { listOrder, savePageSize, saveSort } from './listOrder.state.ts'
import { NoReports } from './NoReports.tsx'
import { reportColumns, type RowAction } from './reportColumns.tsx'
import { type WizardStart, useWizardAddress } from './useWizardAddress.ts'
import classes from './Reports.module.css'

const ReportWizard = lazy(() => import('./wizard/ReportWizard.tsx').then((m) => ({ default: m.ReportWizard })))

/** Open dialog. */
type Open = { action: RowAction; report: ListedReport }

/** List of reports with their last run. */
export function ReportsPage() {
  const [query, changeQuery] = useQuery()
  const { sort, size } = useSnapshot(listOrder)
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1)
  const list = useRemote(
    reports.list,
    { query: { page, size, sort: sort.field, direction: sort.direction } },
    'reports',
  )
  useFailureToast(list.error)
  const [open, setOpen] = useState<Open>()
  const [start, begin, end] = useWizardAddress()
  const opened = (action: RowAction) => (open?.action === action ? open.report : undefined)
  const close = () => setOpen(undefined)
  const edited = opened('edit')
  const go = (page: number) =>
    changeQuery((query) => (page > 1 ? query.set('page', String(page)) : query.delete('page')))
  return (
    <Page title="Reports" actions={list.data && list.data.total > 0 && <NewReportButton onNew={begin} />}>
      <Card
        title="All reports"
        note={list.data && countText(list.data.total)}
        remote={list}
        skeleton={<Skeleton rows={8} />}
      >
        {({ elements, total }) =>
          total === 0 ? (
            <NoReports onStart={begin} />
          ) : (
            <ReportsTable
              rows={elements}
              total={total}
              page={page}
              onPage={go}
              onAction={(action, report) => setOpen({ action, report })}
            />
          )
        }
      </Card>
      <LaunchReport report={opened('launch')} onClose={close} />
      <DeleteReport report={opened('delete')} onClose={close} />
      <Suspense fallback={null}>
        {edited && <ReportWizard id={edited.id} onClose={close} />}
        {start && <ReportWizard start={start} onClose={end} />}
      </Suspense>
    </Page>
  )
}

function NewReportButton({ onNew }: { onNew: (start?: WizardStart) => void }) {
  return (
    <RoleGuard needs={reports.create}>
      <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => onNew()}>
        New report
      </Button>
    </RoleGuard>
  )
}

type ReportsTableProps = {
  rows: ListedReport[]
  total: number
  page: number
  onPage: (page: number) => void
  onAction: (action: RowAction, report: ListedReport) => void
}

function ReportsTable({ rows, total, page, onPage, onAction }: ReportsTableProps) {
  const links = useLinks()
  const { sort, size } = useSnapshot(listOrder)
  const { user } = useSnapshot(session)
  const mayEdit = userMay(user as typeof session.user, reports.update)
  const columns = useMemo(() => reportColumns(mayEdit ? onAction : undefined), [mayEdit, onAction])
  return (
    <div className={classes.table}>
      <PagedTable
        label="Reports"
        columns={columns}
        rows={rows}
        rowKey={idOf}
        stateOf={stateOf}
        sort={sort}
        onSort={(sort) => {
          saveSort(sort)
          onPage(1)
        }}
        onOpen={({ id }) => navigate(links.report(id))}
        nouns={['report', 'reports']}
        page={page}
        size={size}
        total={total}
        onPage={onPage}
        onSize={(size) => {
          savePageSize(size)
          onPage(1)
        }}
      />
    </div>
  )
}

const idOf = ({ id }: ListedReport) => id
const stateOf = ({ jobs }: ListedReport) => jobs[0]?.status ?? ''
