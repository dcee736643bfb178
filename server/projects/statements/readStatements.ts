import type { Statement, StatementTotals } from '#events/projects/statements.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { countMonth, monthsBetween } from './countMonth.ts'

/** The totals of every month since a project was created, newest first. Throws 404. */
export async function listStatements(db: Db, id: number): Promise<StatementTotals[]> {
  const project = await findMaking(db, id)
  const statements = await Promise.all(monthsBetween(project.madeOn, today()).map((month) => read(db, project, month)))
  return statements.map(({ lines: _, ...totals }) => totals)
}

/** A month of a project with its name. Throws 404, also for a month before it was created or in the future. */
export async function findStatement(db: Db, { id, month }: { id: number; month: string }) {
  const project = await findMaking(db, id)
  if (!monthsBetween(project.madeOn, today()).includes(month)) notFound('statement of', month)
  return { name: project.name, statement: await read(db, project, month) }
}

/** A closed month as it was closed; any other is counted now. */
async function read(db: Db, project: { id: number; madeOn: string }, month: string): Promise<Statement> {
  const closed = db.selectFrom('projectStatements').select('statement').where('projectId', '=', project.id)
  const known = await closed.where('month', '=', month).executeTakeFirst()
  return known ? withClasses(known.statement) : countMonth(db, project, month, today())
}

/** Statements closed before storage classes were introduced have no classes. */
const withClasses = (statement: Statement): Statement => ({
  ...statement,
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
