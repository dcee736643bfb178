import { Link } from 'wouter'
import { launchFailure, reports } from '#events/reports/calls.ts'
import { call, CallError } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

/** What names a report in dialogs and messages. */
export type NamedReport = { id: number; name: string }

/** How long it is said that a job was launched, in milliseconds. */
const launchedMs = 9_000

type LaunchReportProps = { report: NamedReport | undefined; onClose: () => void }

/** Asks before a report is launched; the dialog is open while one is given. */
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

/** Starts the job of a report and says where it can be followed, or that it could not be started. */
export async function launch({ id, name }: NamedReport): Promise<boolean> {
  try {
    const { jobId } = await call(reports.launch, { params: { id } })
    const message = (
      <>
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

/** What the server says of a refusal, where that is more than what failed. */
export const reasonOf = (error: unknown, failure: string): string[] =>
  error instanceof CallError && !error.message.startsWith(failure.replace(/ \[.*/, '')) ? [error.message] : []
