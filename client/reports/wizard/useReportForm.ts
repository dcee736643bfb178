import { reports } from '#events/reports/calls.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { launch } from '#client/reports/actions/LaunchReport.tsx'
import { reportForm, type ReportFields } from './reportForm.ts'

/** Form of the wizard; with an id, the report is edited. */
export const useReportForm = (initialValues: ReportFields, id: number | undefined) =>
  useSavedForm({
    form: reportForm,
    initialValues,
    checksOnBlur: true,
    onRefused: showReason,
    save: async (body, { launches }) => {
      const saved =
        id === undefined ? await call(reports.create, { body }) : await call(reports.update, { params: { id }, body })
      const done = id === undefined ? 'created' : 'updated'
      const message = `Report template [${saved.name}] has been ${done} successfully.`
      toast({ kind: 'success', message })
      // The report is already saved, so a failed launch only shows a toast. An action has one: it repeats the first.
      if (launches) await launch(saved, message)
    },
  })

/** Shows the first error as a toast, since its input may be in another step. */
function showReason(error: unknown, rejected: Record<string, string>): void {
  const { failure } = reports.create
  const [first] = Object.values(rejected)
  const reason = first ?? (error instanceof Error && error.message !== failure ? error.message : '')
  toast({ kind: 'danger', message: `${failure} ${reason}`.trim() })
}
