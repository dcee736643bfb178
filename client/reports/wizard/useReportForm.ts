import { useForm } from '@mantine/form'
import { useState } from 'react'
import { reports } from '#events/reports/calls.ts'
import { call, CallError } from '#client/app/call.ts'
import { fieldErrors } from '#client/app/form.ts'
import { toast } from '#client/app/toasts.ts'
import { launch } from '#client/reports/actions/LaunchReport.tsx'
import { draftOf, labels, reportErrors, type ReportFields, inputFor } from './reportFields.ts'

/** Form of the wizard; with an id, the report is edited. */
export function useReportForm(initialValues: ReportFields, id: number | undefined) {
  const [busy, setBusy] = useState(false)
  const form = useForm<ReportFields>({ initialValues, validate: reportErrors, validateInputOnBlur: true })
  /** Saves the report and optionally launches it. Returns the invalid fields; undefined after saving. */
  const save = async (): Promise<string[] | undefined> => {
    setBusy(true)
    try {
      await saveReport(form.values, id)
      return undefined
    } catch (error) {
      const rejected = showErrors(error)
      form.setErrors(rejected)
      return Object.keys(rejected)
    } finally {
      setBusy(false)
    }
  }
  return { form, busy, save }
}
export type ReportForm = ReturnType<typeof useReportForm>['form']

async function saveReport(fields: ReportFields, id: number | undefined): Promise<void> {
  const body = draftOf(fields)
  const saved =
    id === undefined ? await call(reports.create, { body }) : await call(reports.update, { params: { id }, body })
  const done = id === undefined ? 'created' : 'updated'
  toast({ kind: 'success', message: `Report template [${saved.name}] has been ${done} successfully.` })
  // The report is already saved, so a failed launch only shows a toast.
  if (fields.launches) await launch(saved)
}

/** Shows the reason as a toast and returns errors by field. */
function showErrors(error: unknown): Record<string, string> {
  const { failure } = reports.create
  const isRefused = error instanceof CallError
  const found = isRefused ? Object.entries(fieldErrors(error.subErrors, labels)) : []
  const [first] = found.map(([, message]) => message)
  const reason = first ?? (error instanceof Error && error.message !== failure ? error.message : '')
  toast({ kind: 'danger', message: `${failure} ${reason}`.trim() })
  return Object.fromEntries(found.map(([field, message]) => [inputFor(field), message]))
}
