import type { ReportFigures } from '#events/reports/templates.ts'
import { attachFiles, type MailFile, notifyAddress, notifyWebhook } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { type Judged, stateWords } from './checks.ts'
import type { Template } from './run.ts'
import { mostCsvRows } from './runFiles.ts'

type Ran = ReportFigures & {
  runId: number
  indexingDate: string
  check: Judged | undefined
}

/** Returns whether to notify the recipients of a report about a run with this check result. */
export function isTold({ delivery }: Template, check: Judged | undefined): boolean {
  return delivery.when === 'ALWAYS' || (check !== undefined && check.state !== 'PASSED')
}

/** Adds the mails and webhooks about a run, with their files, to the outbox. */
export async function tellOfRun(trx: Trx, report: Template, ran: Ran, files: MailFile[]): Promise<void> {
  const { delivery, webhook, webhookUser, name, type, id } = report
  if (!isTold(report, ran.check)) return
  const subject = `Report ${name}${ran.check ? `: check ${stateWords[ran.check.state]}` : ''}`
  if (delivery.addresses.length > 0) {
    const bundle = `report-run-${ran.runId}`
    const words = await attachFiles(trx, bundle, files, `/report/${id}`)
    const text = `${textOf(name, ran)}${wordsOfRows(ran)}${words}`
    for (const address of delivery.addresses)
      await notifyAddress(trx, address, { key: `${bundle}-${address}`, subject, text, bundle })
  }
  if (webhook === null || webhookUser === null) return
  const body = JSON.stringify({ report: { id, name, type }, run: ran })
  await notifyWebhook(trx, webhookUser, { key: `report-run-${ran.runId}-webhook`, subject, webhook, body })
}

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

/** Note about results that exceed the CSV's rows. */
function wordsOfRows({ numberOfFilesFound, numberOfFoldersFound }: Ran): string {
  const found = (numberOfFilesFound ?? 0) + (numberOfFoldersFound ?? 0)
  const count = (number: number) => number.toLocaleString('en-US')
  return found > mostCsvRows ? `\nThe CSV has the largest ${count(mostCsvRows)} of ${count(found)}.\n` : ''
}
