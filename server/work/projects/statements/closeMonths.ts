import { daysBefore } from '#events/contract/days.ts'
import { costTexts, moneyText } from '#events/money.ts'
import type { Statement } from '#events/projects/statements.ts'
import { chargedText, monthText } from '#events/projects/statementWords.ts'
import { streamNames } from '#events/streams.ts'
import { attachFiles, type MailFile, makeMailFile, notifyAddress } from '#server/messages/notifications/index.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { today } from '#server/platform/days.ts'
import { type Change, change } from '#server/platform/log/change.ts'
import { addressesSeeing, type LimitedScope } from '#server/platform/callers/scope.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery, newItemLoop } from '#server/platform/runEvery.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { countMonth, lastDayOf, monthOf, monthsBetween } from './countMonth.ts'
import { statementDocument, statementFileName } from './statementFiles.ts'

/** Milliseconds between checks for finished months. */
const intervalMs = 60_000

type Deps = Pick<Platform, 'db' | 'live' | 'log'>
type Project = { id: number; name: string; madeOn: string; statementRecipients: string[] }

const failedClosing = 'could not close a statement'

/** Closes finished months, soon after midnight on the first of the next one. */
export function startClosingMonths(platform: Platform): Running {
  const each = newItemLoop(platform.log, failedClosing)
  return runEvery(
    intervalMs,
    () => whileClockIsPlausible(platform.db, () => closeMonths(platform, today(), each)),
    'could not close statements, will retry',
    platform.log,
  )
}

/** Closes each finished month whose figures are complete. Several replicas may run this: each month is closed once. */
export async function closeMonths(
  platform: Deps,
  day = today(),
  each = newItemLoop(platform.log, failedClosing),
): Promise<void> {
  const { db } = platform
  const projects = await db.selectFrom('projects').select(['id', 'name', 'madeOn', 'statementRecipients']).execute()
  const closed = await db.selectFrom('projectStatements').select(['projectId', 'month']).execute()
  const isClosed = new Set(closed.map(({ projectId, month }) => `${projectId} ${month}`))
  const open = projects.flatMap((project) =>
    monthsBetween(project.madeOn, day)
      .toReversed()
      .filter((month) => month !== monthOf(day) && !isClosed.has(`${project.id} ${month}`))
      .map((month) => ({ project, month })),
  )
  await each(
    open,
    ({ project, month }) => `project ${project.id}, ${month}`,
    ({ project, month }) => closeMonth(platform, project, month, day),
  )
}

async function closeMonth(platform: Deps, project: Project, month: string, day: string): Promise<void> {
  if (await isStillScanned(platform, month, day)) return
  const counted = await countMonth(platform.db, project, month, day)
  if (!counted.isComplete) return
  const statement = { ...counted, closedAt: new Date().toISOString() }
  const files = await filesOf(platform, project, statement)
  const topics = (isMine: boolean) => (isMine ? (['projects'] as const) : [])
  await change(platform, system, topics, async (change) => {
    const living = change.trx.selectFrom('projects').select('id').where('id', '=', project.id).forKeyShare()
    if (!(await living.executeTakeFirst())) return false
    if (!(await keepStatement(change, project, statement))) return false
    if (files.length > 0) await mail(change.trx, project, statement, files)
    return true
  })
}

/** Stores a closed statement; returns false if its month is closed already. */
async function keepStatement(
  { trx, recordFact }: Change,
  { id, name }: Pick<Project, 'id' | 'name'>,
  statement: Statement,
): Promise<boolean> {
  const row = { projectId: id, month: statement.month, name, statement: JSON.stringify(statement) }
  const inserted = trx
    .insertInto('projectStatements')
    .values(row)
    .onConflict((on) => on.doNothing())
    .returning('month')
  if (!(await inserted.executeTakeFirst())) return false
  const event = { type: 'StatementClosed', name, statement }
  await recordFact(streamNames.project(id), event)
  return true
}

/**
 * Closes the open months of a project before its deletion, with the days up to yesterday, and marks its statements, which stay. They
 * aren't mailed.
 */
export async function closeProject(change: Change, id: number): Promise<void> {
  const { trx } = change
  const [day, yesterday] = [today(), daysBefore(today(), 1)]
  const row = trx.selectFrom('projects').select(['id', 'name', 'madeOn']).where('id', '=', id)
  const project = await row.executeTakeFirstOrThrow()
  const closed = await trx.selectFrom('projectStatements').select('month').where('projectId', '=', id).execute()
  for (const month of project.madeOn > yesterday ? [] : monthsBetween(project.madeOn, yesterday)) {
    if (closed.some((known) => known.month === month)) continue
    const counted = await countMonth(trx, project, month, yesterday)
    await keepStatement(change, project, { ...counted, closedAt: new Date().toISOString() })
  }
  await trx.updateTable('projectStatements').set({ deletedOn: day }).where('projectId', '=', id).execute()
}

/** The attachments of a statement's mails, if there are recipients. */
async function filesOf(platform: Deps, { name, statementRecipients }: Project, statement: Statement) {
  if (statementRecipients.length === 0) return []
  const named = { name, deletedOn: null, statement }
  return [await makeMailFile(platform, statementFileName(named, 'pdf'), () => statementDocument(named))]
}

async function mail(trx: Trx, project: Project, statement: Statement, files: MailFile[]): Promise<void> {
  const bundle = `statement-${project.id}-${statement.month}`
  const { subject, text } = mailOf(project, statement)
  const attachmentNote = await attachFiles(trx, bundle, files, `/project/${project.id}`)
  const isShownIn = (scope: LimitedScope) => scope.projects.includes(project.id)
  for (const address of await addressesSeeing(trx, project.statementRecipients, isShownIn))
    await notifyAddress(trx, address, {
      key: `${bundle}-${address}`,
      senderId: null,
      subject,
      text: text + attachmentNote,
      bundle,
      shows: { places: [], projects: [project.id] },
    })
}

/**
 * Returns whether a scan started in the month is still running; only on the first day after it, because a scan may
 * never end.
 */
async function isStillScanned({ db }: Deps, month: string, day: string): Promise<boolean> {
  if (!day.endsWith('-01')) return false
  const scans = db.selectFrom('scans').select('id').where('indexingDate', '<=', lastDayOf(month))
  return (await scans.where('state', 'in', ['running', 'committing']).limit(1).executeTakeFirst()) !== undefined
}

function mailOf({ name }: Project, statement: Statement) {
  const { month, averageBytes, costs, lines } = statement
  const prices = costTexts(lines)
  const each = lines.map(({ volumeName, storageClass, averageBytes: bytes }, at) => {
    const price = prices[at] ?? 'without a price'
    return `- ${[volumeName, ...(storageClass ? [storageClass] : [])].join(', ')}: ${sizeText(bytes)} average, ${price}`
  })
  const sums = costs.map(({ currencySymbol, cost }) => `, ${moneyText(cost, currencySymbol)}`).join('')
  const all = `Total: ${sizeText(averageBytes)} average${sums}`
  return {
    subject: `${name}: statement for ${monthText(month)}`,
    text: `The project ${name} in ${monthText(month)}. ${chargedText(statement)}\n\n${[...each, ...(each.length > 0 ? [''] : []), all].join('\n')}\n`,
  }
}
