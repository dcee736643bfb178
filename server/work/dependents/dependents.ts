import { type RawBuilder, sql } from 'kysely'
import { may } from '#events/contract/needs.ts'
import { type DependedKind, dependents } from '#events/administration.ts'
import { endedStatuses } from '#events/jobs/states.ts'
import type { AlertClass } from '#events/schedules/calls.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { notFound, Problem } from '#server/platform/problem.ts'
import { schedulesNaming } from '#server/work/schedules/index.ts'

export const dependentRoutes = ({ db }: Pick<Platform, 'db'>) => [
  route(dependents, ({ query: { of: kind, id } }, by) => {
    if (kind !== 'project' && kind !== 'report' && !may(by.roles, 'settings.edit'))
      throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
    return inTransaction(db, (trx) => finders[kind](trx, id, by))
  }),
]

/** Alerts that can watch a storage. */
const storageAlerts: AlertClass[] = [
  'VOLUME_SPACE_ALERT',
  'SCAN_FAILED_ALERT',
  'SCAN_OVERDUE_ALERT',
  'MASS_CHANGE_ALERT',
]

/** Names of referring objects, and what happens to these. */
type Reference = [kind: string, names: Promise<string[]>, effect: string]

const finders: Record<DependedKind, (trx: Trx, id: number, by: Caller) => Promise<string[]>> = {
  user: async (trx, id) => {
    const { email } = (await trx.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()) ?? {}
    const others = alerts(trx).where('userId', 'is distinct from', id)
    return sentences([
      ['Reports', namesOf(reports(trx).where('webhookUser', '=', id)), 'their webhook is no longer called'],
      ['Alerts', namesOf(alerts(trx).where('userId', '=', id)), 'paused until an administrator takes them over'],
      ['Shared searches', namesOf(sharedSearches(trx).where('userId', '=', id)), 'stay, for administrators to change'],
      ['Jobs', namesOf(openJobs(trx).where('userId', '=', id)), 'continue'],
      ['Reports', namesOf(reports(trx).where(mails(email))), `still email ${email}`],
      ['Alerts', namesOf(others.where(mails(email))), `still email ${email}`],
      ['Statements of projects', namesOf(mailedProjects(trx, email)), `still email ${email}`],
    ])
  },
  storage: (trx, id, by) =>
    sentences([
      ['Schedules', schedulesNaming(trx, id), 'no longer scan it'],
      ['Alerts', alertsOn(trx, id, by, storageAlerts), goneOf],
      ['Reports', namesOf(reports(trx).where(hasSource('VOLUME', id))), failing],
      ['Reports with a condition on it', namesOf(reports(trx).where(hasCondition(id))), 'no longer find its files'],
      ['Projects', namesOf(projects(trx).where('volumeId', '=', id)), 'no longer count its files'],
    ]),
  project: async (trx, id, by) => {
    const isLimited = by.scope !== 'everything'
    if (by.scope !== 'everything' && !by.scope.projects.includes(id)) notFound('project', id)
    const ofOthers = isLimited ? Promise.resolve([]) : namesOf(reports(trx).where(hasSource('PROJECT', id)))
    return sentences([
      ['Alerts', alertsOn(trx, id, by, ['PROJECT_SPACE_ALERT']), goneOf],
      ['Reports', ofOthers, failing],
    ])
  },
  report: (trx, id, by) => sentences([['Alerts', alertsOn(trx, id, by, ['REPORT_CHECK_ALERT']), goneOf]]),
  agent: (trx, id) =>
    sentences([
      ['Schedules', namesOf(scansOf(trx).where(sql`payload->'serverId'`, '=', sql`to_jsonb(${id}::int)`)), 'fail'],
    ]),
}

const goneOf = 'report that it was deleted'
const failing = 'fail until you edit their data'

async function sentences(found: Reference[]): Promise<string[]> {
  const names = await Promise.all(found.map(([, names]) => names))
  return found.flatMap(([kind, , effect], i) => {
    const named = names[i] ?? []
    return named.length > 0 ? [`${kind} ${joinNames(named)}: ${effect}.`] : []
  })
}

const namesOf = async (rows: { execute: () => Promise<{ name: string }[]> }): Promise<string[]> =>
  (await rows.execute()).map(({ name }) => name)

const reports = (trx: Trx) => trx.selectFrom('reportTemplates').select('name').orderBy('name')
const alerts = (trx: Trx) => trx.selectFrom('schedules').select(['name', 'userId']).where('jobGroup', '=', 'ALERT')
const scansOf = (trx: Trx) => trx.selectFrom('schedules').select('name').where('jobClass', '=', 'SCAN_SERVER')
const sharedSearches = (trx: Trx) => trx.selectFrom('savedSearches').select('name').where('isShared', '=', true)
const openJobs = (trx: Trx) =>
  trx
    .selectFrom('jobs')
    .select(sql<string>`id::text`.as('name'))
    .where('status', 'not in', endedStatuses)
    .orderBy('id')
const projects = (trx: Trx) =>
  trx
    .selectFrom('projects')
    .innerJoin('projectFolders', 'projectFolders.projectId', 'projects.id')
    .select('projects.name')
    .distinct()
    .orderBy('projects.name')

/** The recipients of a report or alert include the address. */
const mails = (email: string | null = null): RawBuilder<boolean> =>
  sql<boolean>`EXISTS (SELECT FROM jsonb_array_elements_text(delivery->'addresses') AS address WHERE lower(address) = lower(${email}))`
const mailedProjects = (trx: Trx, email: string | null = null) =>
  trx
    .selectFrom('projects')
    .select('name')
    .where(sql<boolean>`lower(${email}) IN (SELECT lower(unnest(statement_recipients)))`)

/** Alerts that name an object. Names of other users' alerts are for administrators, and users with limits don't learn of them. */
async function alertsOn(
  trx: Trx,
  id: number,
  { id: own, roles, scope }: Caller,
  classes: AlertClass[],
): Promise<string[]> {
  const named = alerts(trx)
    .$if(scope !== 'everything', (some) => some.where('userId', '=', own))
    .where('jobClass', 'in', classes)
    .where(sql<boolean>`payload->'resourceIds' @> to_jsonb(${id}::int) AND payload->'all' IS DISTINCT FROM 'true'`)
  const rows = await named.orderBy('id').execute()
  const isShown = (userId: number | null) => userId === own || may(roles, 'settings.edit')
  return rows.map(({ name, userId }) => (isShown(userId) ? name : 'of another user'))
}

function hasSource(type: 'VOLUME' | 'PROJECT', id: number): RawBuilder<boolean> {
  const source = JSON.stringify([{ type, id }])
  return sql<boolean>`(parameters->'references' @> ${source}::jsonb OR parameters->'comparison' @> ${source}::jsonb)`
}

/** Conditions include or exclude storages by their ids. */
const hasCondition = (id: number): RawBuilder<boolean> =>
  sql<boolean>`jsonb_path_exists(parameters, '$.searchQueryNode.**.volumeId.** ? (@ == $id)', jsonb_build_object('id', ${id}::int))`
