import type { ReportFigures } from '#events/reports/templates.ts'
import {
  attachFiles,
  linkTo,
  type MailFile,
  notifyAddress,
  notifyWebhook,
} from '#server/messages/notifications/index.ts'
import { addressesSeeing, currentScopeOf, showsAll } from '#server/platform/callers/scope.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { type CheckResult, stateVerbs } from './checks.ts'
import type { ReportLimits } from '#server/work/reports/reportLimits.ts'
import { isUserDeleted } from '#server/work/reports/reportWebhook.ts'
import { runKey } from './readRuns.ts'
import type { Template } from './run.ts'
import { maxCsvRows } from './runFiles.ts'

type RunResult = ReportFigures & {
  runId: number
  indexingDate: string
  limits: ReportLimits
  check: CheckResult | undefined
}

/** Returns whether to notify the recipients of a report about a run with this check result. */
export function shouldNotify({ delivery }: Template, check: CheckResult | undefined): boolean {
  return delivery.when === 'ALWAYS' || (check !== undefined && check.state !== 'PASSED')
}

/** Adds the mails and webhooks about a run, with their files, to the outbox. Users with limits receive them if they see all of it. */
export async function notifyRecipients(
  trx: Trx,
  report: Template,
  { limits, ...run }: RunResult,
  files: MailFile[],
): Promise<void> {
  const { delivery, webhook, webhookUser, name, type, id } = report
  if (!shouldNotify(report, run.check)) return
  const about = `report-${id}`
  const subject = `Report ${name}${run.check ? `: check ${stateVerbs[run.check.state]}` : ''}`
  const shows = limits.scope === 'everything' ? null : limits.scope
  const head = limits.line === undefined ? '' : `${limits.line}.\n\n`
  const addresses = await addressesSeeing(trx, delivery.addresses, (scope) => showsAll(scope, shows))
  if (addresses.length > 0) {
    const bundle = runKey(run.runId)
    const attachmentNote = await attachFiles(trx, bundle, files, `/report/${id}`)
    const text = `${head}${textOf(name, run)}${rowLimitNote(run)}${attachmentNote}`
    const senderId = await userOf(trx, report.ownerId)
    for (const address of addresses)
      await notifyAddress(trx, address, {
        key: `${bundle}-${address}`,
        about,
        senderId,
        subject,
        text,
        bundle,
        shows,
      })
  }
  if (webhook === null || webhookUser === null) return
  if ((await isUserDeleted(trx, webhookUser)) || !showsAll(await currentScopeOf(trx, webhookUser), shows)) return
  const { webhookFormat, webhookTemplate } = delivery
  await notifyWebhook(trx, webhookUser, {
    key: `${runKey(run.runId)}-webhook`,
    about,
    subject,
    webhook,
    webhookFormat,
    webhookTemplate,
    shows,
    webhookText: `${head}${textOf(name, run)}\n${await linkTo(trx, `/report/${id}`)}`,
    body: JSON.stringify({ at: new Date(), report: { id, name, type }, run, limitedTo: limits.line }),
  })
}

/** The owner of a report, if the account still exists. */
async function userOf(trx: Trx, ownerId: number | null): Promise<number | null> {
  const user = trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId ?? 0)
  return (await user.executeTakeFirst())?.id ?? null
}

function textOf(name: string, { indexingDate, check, ...found }: Omit<RunResult, 'limits'>): string {
  const lines = [
    `The report ${name} ran over the snapshot of ${indexingDate}.`,
    '',
    `- Files found: ${found.numberOfFilesFound} of ${found.numberOfFilesTotal}`,
    `- Folders found: ${found.numberOfFoldersFound} of ${found.numberOfFoldersTotal}`,
    `- Size of files found: ${sizeText(found.sizeOfFilesFound ?? 0)} of ${sizeText(found.sizeOfFilesTotal ?? 0)}`,
    ...(check ? ['', `Check ${stateVerbs[check.state]}: ${check.reason}.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** Note about results that exceed the CSV's rows. */
function rowLimitNote({ numberOfFilesFound, numberOfFoldersFound }: ReportFigures): string {
  const found = (numberOfFilesFound ?? 0) + (numberOfFoldersFound ?? 0)
  const count = (number: number) => number.toLocaleString('en-US')
  return found > maxCsvRows ? `\nThe CSV has the largest ${count(maxCsvRows)} of ${count(found)}.\n` : ''
}
