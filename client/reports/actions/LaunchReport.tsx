import { Link } from 'wouter'
import { launchFailure, reports } from '#events/reports/calls.ts'
import { call, CallError } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

export type NamedReport = { id: number; name: string }

/** Duration of the toast, in milliseconds. */
const launchedMs = 9_000

type LaunchReportProps = { report: NamedReport | undefined; onClose: () => void }

/** Confirms launching a report; the dialog is open while one is set. */
export function LaunchReport({ report, onClose }: LaunchReportProps) {
  const [busy, act] = useBusy(async (report: NamedReport) => {
    if (await launch(report)) onClose()
  })
  return (
    <Confirm
      opened={report !== undefined}
      title="Launch report"
      verb="Launch report"
      isHarmless
      busy={busy}
      onCancel={onClose}
      onConfirm={() => report && act(report)}
    >
      {`Launch the report template ${report?.name ?? ''}? Depending on how much is found, its tags may take a while to appear on files and folders.`}
    </Confirm>
  )
}

/** Launches a report and shows a toast, after what was done before, with a link to its job, or the error. */
export async function launch({ id, name }: NamedReport, done = ''): Promise<boolean> {
  try {
    const { jobId } = await call(reports.launch, { params: { id } })
    const message = (
      <>
        {done && `${done} `}
        {`A job for the report template ${name} has been launched successfully. You can monitor the job by clicking `}
        <Link href={linksAt().jobs(jobId)}>here</Link>
      </>
    )
    toast({ kind: 'success', message }, launchedMs)
    return true
  } catch (error) {
    const failure = launchFailure(name)
    toast({ kind: 'danger', message: [failure, ...reasonOf(error, failure)].join(' ') })
    return false
  }
}

/** The server's message, if it says more than the generic failure. */
export const reasonOf = (error: unknown, failure: string): string[] =>
  error instanceof CallError && !error.message.startsWith(failure.replace(/ \[.*/, '')) ? [error.message] : []
