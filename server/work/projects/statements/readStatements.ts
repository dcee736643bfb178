import { sql } from 'kysely'
import { streamNames } from '#events/streams.ts'
import type { Statement, StatementTotals } from '#events/projects/statements.ts'
import { type Scope, showsFolder, showsProject } from '#server/platform/callers/scope.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { checkProject } from '#server/work/projects/checkProject.ts'
import { placeOf, type ProjectChange } from '#server/work/projects/projectChanges.ts'
import { countMonth, lastDayOf, monthsBetween } from './countMonth.ts'

/** A month of a project, with the name that it had when the month was closed, and the day of its deletion. */
export type NamedStatement = { name: string; deletedOn: string | null; statement: Statement }

/** The totals of every month of a project, newest first; of a deleted one, of those that were closed. Throws 404. */
export async function listStatements(db: Db, scope: Scope, id: number): Promise<StatementTotals[]> {
  if (scope !== 'everything') await checkProject(db, scope, id)
  const closed = await readClosed(db, scope, { id })
  const project = await projects(db).where('id', '=', id).executeTakeFirst()
  if (!project && closed.length === 0) notFound('project', id)
  const isOpen = (month: string) => closed.every(({ statement }) => statement.month !== month)
  const open = project ? monthsBetween(project.madeOn, today()).filter(isOpen) : []
  const counted = await Promise.all(open.map((month) => countMonth(db, project as Project, month, today())))
  const shown = closed.filter(({ isShown }) => isShown).map(({ statement }) => statement)
  const all = [...shown, ...counted].sort((a, b) => (a.month < b.month ? 1 : -1))
  return all.map(({ lines: _, ...totals }) => totals)
}

/** A month of a project. Throws 404, also for a month before it was created or in the future. */
export async function findStatement(
  db: Db,
  scope: Scope,
  { id, month }: { id: number; month: string },
): Promise<NamedStatement> {
  if (scope !== 'everything') await checkProject(db, scope, id)
  const [closed] = await readClosed(db, scope, { id, month })
  if (closed) return closed.isShown ? closed : notFound('statement of', month)
  const project = (await projects(db).where('id', '=', id).executeTakeFirst()) ?? notFound('project', id)
  return (await countOpen(db, project, month)) ?? notFound('statement of', month)
}

/** Months that have statements of projects in the scope, newest first. Deleted projects aren't in limits. */
export async function listMonths(db: Db, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ first: string | null; closed: string[] | null }>`
    SELECT (SELECT min(made_on) FROM projects WHERE ${showsProject(scope, sql`id`)}) AS first,
      (SELECT array_agg(DISTINCT month) FROM project_statements WHERE ${scope === 'everything'}) AS closed`.execute(db)
  const { first = null, closed } = rows[0] ?? {}
  return [...new Set([...(first ? monthsBetween(first, today()) : []), ...(closed ?? [])])].sort().toReversed()
}

/** The statements of all projects for a month, by name, also of deleted ones. Throws 404 if no project existed. */
export async function findStatements(db: Db, scope: Scope, month: string): Promise<NamedStatement[]> {
  const named = await readClosed(db, scope, { month })
  const closed = new Set(named.map(({ id }) => id))
  const all: (NamedStatement & { id: number })[] = named.filter(({ isShown }) => isShown)
  for (const project of await projects(db)
    .where(showsProject(scope, sql`id`))
    .execute()) {
    const open = closed.has(project.id) ? undefined : await countOpen(db, project, month)
    if (open) all.push({ id: project.id, ...open })
  }
  if (all.length === 0) notFound('statements of', month)
  return all.sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
}

type Project = { id: number; name: string; madeOn: string }
const projects = (db: Db) => db.selectFrom('projects').select(['id', 'name', 'madeOn'])

/** Closed statements as they were closed, of a project or a month; `isShown` if the scope shows all that they count. */
async function readClosed(db: Db, scope: Scope, { id, month }: { id?: number; month?: string }) {
  const rows = await db
    .selectFrom('projectStatements')
    .select(['projectId as id', 'name', 'deletedOn', 'statement'])
    .where(showsProject(scope, sql`project_id`))
    .$if(id !== undefined, (some) => some.where('projectId', '=', id ?? 0))
    .$if(month !== undefined, (some) => some.where('month', '=', month ?? ''))
    .execute()
  return Promise.all(
    rows.map(async ({ statement, ...row }) => ({
      ...row,
      statement: withDefaults(statement),
      isShown: scope === 'everything' || (await isWithin(db, scope, row.id, statement.closedAt)),
    })),
  )
}

/** Returns whether the scope shows all folders that a project had at a time. */
async function isWithin(db: Db, scope: Scope, projectId: number, at: string | null): Promise<boolean> {
  const events = await readStream<ProjectChange>(db, streamNames.project(projectId))
  const paths = events.findLast(({ event }) => event.after?.paths && event.at <= (at ?? ''))?.event.after?.paths
  return paths?.every((folder) => showsFolder(scope, placeOf(folder), 'ever')) ?? false
}

/** A month that isn't closed, counted now; undefined before the project was created and in the future. */
async function countOpen(db: Db, project: Project, month: string): Promise<NamedStatement | undefined> {
  if (!monthsBetween(project.madeOn, today()).includes(month)) return undefined
  return { name: project.name, deletedOn: null, statement: await countMonth(db, project, month, today()) }
}

/** Completes statements that were closed before storage classes or days were recorded. */
const withDefaults = ({ lastDay, daysWithoutData, ...statement }: Statement): Statement => ({
  ...statement,
  lastDay: lastDay ?? lastDayOf(statement.month),
  daysWithoutData: daysWithoutData ?? null,
  lines: statement.lines.map((line) => ({ ...line, storageClass: line.storageClass ?? null })),
})

/** The recipients of a project's statements. Throws 404. */
export async function readRecipients(db: Db, id: number): Promise<{ addresses: string[] }> {
  const row = db.selectFrom('projects').select('statementRecipients as addresses').where('id', '=', id)
  return (await row.executeTakeFirst()) ?? notFound('project', id)
}
