import { removeFailure, reports } from '#events/reports/calls.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Dependents } from '#client/parts/deletion/Dependents.tsx'
import { Confirm } from '#client/ui/form/Confirm.tsx'
import { type NamedReport, reasonOf } from './LaunchReport.tsx'

type DeleteReportProps = { report: NamedReport | undefined; onClose: () => void; onDeleted?: () => void }

/** Confirms deleting a report; the dialog is open while one is set. */
export function DeleteReport({ report, onClose, onDeleted }: DeleteReportProps) {
  const [busy, act] = useBusy(async (report: NamedReport) => {
    if (!(await remove(report))) return
    onClose()
    onDeleted?.()
  })
  return (
    <Confirm
      opened={report !== undefined}
      title="Delete report template"
      verb="Delete report"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => report && act(report)}
    >
      <p>
        {`Are you sure you want to delete the report template ${report?.name ?? ''}? Deleting the template does not remove the tags from files and folders.`}
      </p>
      {report && <Dependents kind="report" id={report.id} />}
    </Confirm>
  )
}

async function remove({ id, name }: NamedReport): Promise<boolean> {
  try {
    await call(reports.remove, { params: { id } })
    toast({ kind: 'success', message: `Report template [${name}] has been deleted successfully.` })
    return true
  } catch (error) {
    const failure = removeFailure(name)
    toast({ kind: 'danger', message: [failure, ...reasonOf(error, failure)].join(' ') })
    return false
  }
}
