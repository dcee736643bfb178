import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type ActionPlan, planDownload, plannedFiles, type PlanRow } from '#events/actions/plans.ts'
import type { policyRuns } from '#events/policies/runs.ts'
import { download } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { saveFile } from '#client/app/saveFile.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { countText } from '#client/ui/text/count.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import classes from './ActionWizard.module.css'

/** Left-out files of one reason. Requested paths that the snapshot doesn't have are of unknown size. */
type Reason = ActionPlan['leftOut'][number]

const reasonsOf = ({ leftOut, missing }: ActionPlan): Reason[] => [
  ...leftOut,
  ...(missing > 0 ? [{ reason: 'Not in the snapshot', files: missing, bytes: -1 }] : []),
]

/** Files that a plan leaves out, by reason and one by one, and the download of the whole plan. */
export function LeftOut({ plan }: { plan: ActionPlan }) {
  const reasons = reasonsOf(plan)
  const [busy, save] = useBusy(async () => saveFile(await download(planDownload, { params: { id: plan.id } })))
  return (
    <section className={classes.tables} aria-label="Left out">
      <div className="row wrap between gap-8">
        <h3 className="heading">{reasons.length === 0 ? 'No files are left out' : 'Left out'}</h3>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
          loading={busy}
          onClick={save}
        >
          Download CSV
        </Button>
      </div>
      <LeftOutTables reasons={reasons} hasFiles={plan.leftOut.length > 0} list={plannedFiles} id={plan.id} />
    </section>
  )
}

type LeftOutTablesProps = { reasons: Reason[]; hasFiles: boolean; list: PlanFilesProps['list']; id: number }

/** Files of a plan or a run that are left out: by reason, and one by one. */
export const LeftOutTables = ({ reasons, hasFiles, list, id }: LeftOutTablesProps) => (
  <>
    <DataTable
      label="Left out by reason"
      columns={reasonColumns}
      rows={reasons}
      rowKey={({ reason }) => reason}
      empty={null}
    />
    {hasFiles && <PlanFiles label="Files left out" list={list} id={id} columns={leftOutColumns} leftOut="true" />}
  </>
)

/** Columns of files that are left out, by reason. */
const reasonColumns: Column<Reason>[] = [
  { key: 'reason', title: 'Reason', grows: true, cell: ({ reason }) => reason },
  { key: 'files', title: 'Files', align: 'right', cell: ({ files }) => countText(files) },
  { key: 'bytes', title: 'Size', align: 'right', cell: ({ bytes }) => <Size bytes={bytes} /> },
]

const pageSize = 50

type PlanFilesProps = {
  label: string
  list: typeof plannedFiles | typeof policyRuns.files
  /** ID of the plan or the run. */
  id: number
  columns: Column<PlanRow>[]
  leftOut: 'true' | 'false'
}

/** Files of a plan in pages, or those that are left out. */
export function PlanFiles({ label, list, id, columns, leftOut }: PlanFilesProps) {
  const [after, goTo] = useState(0)
  const page = useRemote(list, { params: { id }, query: { size: pageSize, after, leftOut } })
  return (
    <RemoteContent remote={page}>
      {({ rows, cursor }) => (
        <>
          <DataTable label={label} columns={columns} rows={rows} rowKey={({ position }) => position} empty={null} />
          {(after > 0 || cursor !== null) && (
            <div className="row wrap between gap-8">
              <Button variant="default" disabled={after === 0} onClick={() => goTo(0)}>
                First files
              </Button>
              <Button variant="default" disabled={cursor === null} onClick={() => cursor !== null && goTo(cursor)}>
                Next files
              </Button>
            </div>
          )}
        </>
      )}
    </RemoteContent>
  )
}

/** Path and size of the files of a plan. */
export const fileColumns: Column<PlanRow>[] = [
  { key: 'path', title: 'Path', grows: true, cell: ({ path }) => <PathText path={path} /> },
  { key: 'size', title: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
]

const leftOutColumns: Column<PlanRow>[] = [
  ...fileColumns.slice(0, 1),
  { key: 'leftOut', title: 'Reason', wideOnly: true, cell: ({ leftOut }) => leftOut },
  ...fileColumns.slice(1),
]
