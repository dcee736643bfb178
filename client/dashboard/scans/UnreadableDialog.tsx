import { type ScanRecord, unreadablePaths } from '#events/scans/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import classes from './UnreadablePaths.module.css'

type UnreadableDialogProps = { scan: ScanRecord; opened: boolean; onClose: () => void }

/** Unreadable paths of a scan with their errors. */
export function UnreadableDialog({ scan, opened, onClose }: UnreadableDialogProps) {
  return (
    <Dialog opened={opened} size="L" title={`Unreadable paths in the scan of ${scan.volumeName}`} onClose={onClose}>
      {opened && <Paths scan={scan} />}
    </Dialog>
  )
}

/** Maximum number that the server keeps for a scan. */
const size = 1_000

const columns = [
  { key: 'path', title: 'Path', grows: true, cell: ({ path }: Path) => <PathText path={path || '/'} /> },
  { key: 'error', title: 'Reason', cell: ({ error }: Path) => error },
]
type Path = { path: string; error: string }

function Paths({ scan }: { scan: ScanRecord }) {
  const { data, error, retry } = useRemote(unreadablePaths, { params: { id: scan.scanId }, query: { size } })
  if (error && !data) return <Failure error={error} retry={retry} />
  if (!data) return <Skeleton rows={4} />
  const more = scan.unreadable - data.total
  return (
    <>
      <p className={classes.meaning}>
        Data of an earlier scan is kept for these paths. Sizes may be larger than shown.
      </p>
      <DataTable
        label="Unreadable paths"
        columns={columns}
        rows={data.elements}
        rowKey={({ path }) => path}
        empty={<p>Their names were not stored.</p>}
      />
      {more > 0 && data.total > 0 && <p className={classes.meaning}>and {counted(more, 'more path')}</p>}
    </>
  )
}
