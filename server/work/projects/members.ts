import { sql } from 'kysely'
import { may } from '#events/contract/needs.ts'
import type { Members } from '#events/projects/members.ts'
import { streamNames } from '#events/streams.ts'
import { readLimits, setLimits } from '#server/access/limits/index.ts'
import { isLimited } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid, Problem } from '#server/platform/problem.ts'
import { checkEditable } from './checkProject.ts'

/** The members of a project, and the users who can be named. Throws as `checkEditable` does. */
export async function readMembers(db: Db | Trx, by: Caller, id: number): Promise<Members> {
  await checkEditable(db, by, id)
  const users = await db
    .selectFrom('users')
    .select(['id', 'name', isLimited.as('isLimited')])
    .select(
      sql<boolean>`EXISTS (SELECT FROM project_managers WHERE user_id = users.id AND project_id = ${id})`.as(
        'isManager',
      ),
    )
    .select(
      sql<boolean>`EXISTS (SELECT FROM limits WHERE user_id = users.id AND ${id}::integer = any(projects))`.as(
        'isReader',
      ),
    )
    .where('disabledAt', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  const named = (some: typeof users) => some.map((user) => ({ id: user.id, name: user.name }))
  return {
    managers: named(users.filter(({ isManager }) => isManager)),
    readers: named(users.filter(({ isReader }) => isReader)),
    users: users.map((user) => ({ id: user.id, name: user.name, seesEverything: !user.isLimited })),
  }
}

/**
 * Sets the managers and readers of a project. Disabled users stay what they are. Throws as `checkEditable` does, 403 for other managers
 * without the role, and 400 for an unknown user.
 */
export async function updateMembers(
  change: Change<Caller>,
  id: number,
  draft: { managers: number[]; readers: number[] },
): Promise<void> {
  const { trx, by, record } = change
  await checkEditable(trx, by, id)
  await sql`SELECT FROM projects WHERE id = ${id} FOR UPDATE`.execute(trx)
  await sql`SELECT FROM users WHERE id = any(${draft.readers}::bigint[]) ORDER BY id FOR UPDATE`.execute(trx)
  const before = await readMembers(trx, by, id)
  for (const field of ['managers', 'readers'] as const) {
    const unknown = draft[field].find((userId) => !before.users.some((user) => user.id === userId))
    if (unknown !== undefined) invalid(field, `has an unknown user: ${unknown}`)
  }
  const managers = changesOf(before.managers, draft.managers)
  if (managers.isChanged && !may(by.roles, 'projects.edit'))
    throw new Problem(403, 'Only users with ROLE_PROJECT_MANAGER name the managers of a project', {
      code: 'permission',
    })
  const readers = changesOf(before.readers, draft.readers)
  const added = readers.added.filter((userId) =>
    before.users.some((user) => user.id === userId && !user.seesEverything),
  )
  await sql`DELETE FROM project_managers WHERE project_id = ${id} AND user_id = any(${managers.removed}::bigint[])`.execute(
    trx,
  )
  await sql`INSERT INTO project_managers SELECT ${id}, unnest(${managers.added}::bigint[])`.execute(trx)
  for (const userId of added) await setProjects(change, userId, (projects) => [...projects, id])
  for (const userId of readers.removed)
    await setProjects(change, userId, (projects) => projects.filter((project) => project !== id))
  if (managers.isChanged || added.length + readers.removed.length > 0)
    await record(streamNames.project(id), { before: namesOf(before), after: namesOf(await readMembers(trx, by, id)) })
}

/** Changes the projects of a user's own limits. Without any left the user sees nothing, instead of everything. */
async function setProjects(change: Change, userId: number, next: (projects: number[]) => number[]): Promise<void> {
  const limits = await readLimits(change.trx, { userId })
  await setLimits(change, { userId }, { ...limits, everything: false, projects: next(limits.projects) })
}

function changesOf(members: readonly { id: number }[], draft: readonly number[]) {
  const added = [...new Set(draft)].filter((userId) => !members.some(({ id }) => id === userId))
  const removed = members.map(({ id }) => id).filter((userId) => !draft.includes(userId))
  return { added, removed, isChanged: added.length + removed.length > 0 }
}

const namesOf = ({ managers, readers }: Members) => ({
  managers: managers.map(({ name }) => name),
  readers: readers.map(({ name }) => name),
})
