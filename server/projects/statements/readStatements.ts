import type { Statement, StatementTotals } from '#events/projects/statements.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { countMonth, lastDayOf, monthsBetween } from './countMonth.ts'

/** The totals of every month since a project was created, newest first. Throws 404. */
export async function listStatements(db: Db, id: number): Promise<StatementTotals[]> {
  const project = await findMaking(db, id)
  const statements = await Promise.all(monthsBetween(project.madeOn, today()).map((month) => read(db, project, month)))
  return statements.map(({ lines: _, ...totals }) => totals)
}

export type NamedStatement = { name: string; statement: Statement }

/** A month of a project with its name. Throws 404, also for a month before it was created or in the future. */
export async function findStatement(db: Db, { id, month }: { id: number; month: string }): Promise<NamedStatement> {
  const project = await findMaking(db, id)
  if (!monthsBetween(project.madeOn, today()).includes(month)) notFound('statement of', month)
  return { name: project.name, statement: await read(db, project, month) }
}

/** Months since the first project was created, newest first. */
export async function listMonths(db: Db): Promise<string[]> {
  const first = await db
    .selectFrom('projects')
    .select((table) => table.fn.min('madeOn').as('day'))
    .executeTakeFirst()
  return first?.day ? monthsBetween(first.day, today()) : []
}

/** The statements of all projects for a month, by name. Throws 404 if no project existed. */
export async function findStatements(db: Db, month: string): Promise<NamedStatement[]> {
  const all = await db.selectFrom('projects').select(['id', 'name', 'madeOn']).orderBy('name').orderBy('id').execute()
  const existing = all.filter(({ madeOn }) => monthsBetween(madeOn, today()).includes(month))
  if (existing.length === 0) notFound('statements of', month)
  const named: NamedStatement[] = []
  for (const project of existing) named.push({ name: project.name, statement: await read(db, project, month) })
  return named
}

/** A closed month as it was closed; any other is counted now. */
async function read(db: Db, project: { id: number; madeOn: string }, month: string): Promise<Statement> {
  const closed = db.selectFrom('projectStatements').select('statement').where('projectId', '=', project.id)
  const known = await closed.where('month', '=', month).executeTakeFirst()
  return known ? withDefaults(known.statement) : countMonth(db, project, month, today())
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

const findMaking = async (db: Db, id: number) =>
  (await db.selectFrom('projects').select(['id', 'name', 'madeOn']).where('id', '=', id).executeTakeFirst()) ??
  notFound('project', id)
