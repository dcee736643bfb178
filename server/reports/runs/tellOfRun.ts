import type { Selectable } from 'kysely'
import type { CheckState, ReportFigures } from '#events/reports/templates.ts'
import { notifyAddress, notifyWebhook } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { sizeText } from '#server/platform/sizeText.ts'

export type Template = Selectable<Tables['reportTemplates']>
type Ran = ReportFigures & {
  runId: number
  indexingDate: string
  check: { state: CheckState; reason: string } | undefined
}

/** Puts into the outbox what the recipients of a report are told of a run. */
export async function tellOfRun(trx: Trx, report: Template, ran: Ran): Promise<void> {
  const { delivery, webhook, webhookUser, name, type, id } = report
  const isPassed = ran.check === undefined || ran.check.state === 'PASSED'
  if (delivery.when === 'CHECK_NOT_PASSED' && isPassed) return
  const subject = `Report ${name}${ran.check ? `: check ${stateWords[ran.check.state]}` : ''}`
  for (const address of delivery.addresses)
    await notifyAddress(trx, address, { key: `report-run-${ran.runId}-${address}`, subject, text: textOf(name, ran) })
  if (webhook === null || webhookUser === null) return
  const body = JSON.stringify({ report: { id, name, type }, run: ran })
  await notifyWebhook(trx, webhookUser, { key: `report-run-${ran.runId}-webhook`, subject, webhook, body })
}

const stateWords: Record<CheckState, string> = { PASSED: 'passed', WARNING: 'warns', FAILED: 'failed' }

function textOf(name: string, { indexingDate, check, ...found }: Ran): string {
  const lines = [
    `The report ${name} ran over the snapshot of ${indexingDate}.`,
    '',
    `- Files found: ${found.numberOfFilesFound} of ${found.numberOfFilesTotal}`,
    `- Folders found: ${found.numberOfFoldersFound} of ${found.numberOfFoldersTotal}`,
    `- Size of files found: ${sizeText(found.sizeOfFilesFound ?? 0)} of ${sizeText(found.sizeOfFilesTotal ?? 0)}`,
    ...(check ? ['', `Check ${stateWords[check.state]}: ${check.reason}.`] : []),
  ]
  return `${lines.join('\n')}\n`
}
