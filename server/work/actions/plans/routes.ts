import { type ActionJobType, actionOfType } from '#events/actions/actions.ts'
import { launchCalls, launchOf } from '#events/actions/calls.ts'
import type { PlanRow } from '#events/actions/plans.ts'
import * as calls from '#events/actions/plans.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { exportSelection, pageOfSelection, withFullPaths } from '#server/questions/selections/index.ts'
import { planRest } from './planRest.ts'
import { findPlan, planAction, startPlan } from './plans.ts'

/** Calls that plan actions and start them. */
export const planRoutes = (platform: Platform) => [
  route(calls.planAction, ({ query, body }, by) => planAction(platform, body, { ...query, by })),
  route(calls.planRest, ({ params }, by) => planRest(platform, params.id, by)),
  route(calls.plannedFiles, async ({ params, query }, by) => listFiles(platform, params.id, query, by)),
  route(calls.planDownload, async ({ params }, by) =>
    exportSelection(platform, await findPlan(platform, params.id, by), by.signal),
  ),
  route(calls.startPlan, async ({ params }, by) => {
    const jobId = await startPlan(platform, params.id, by)
    platform.live({ type: 'changed', topics: ['contents'] })
    return { jobId }
  }),
]

/** The specification's calls, which plan an action and start it in one. */
export const launchRoutes = (platform: Platform) =>
  Object.entries(launchCalls).map(([jobType, call]) =>
    route(call, async (input, by) => {
      const { request, indexingDate } = launchOf(actionOfType(jobType as ActionJobType), call, input)
      const { id } = await planAction(platform, request, { indexingDate, by })
      return { jobId: await startPlan(platform, id, by) }
    }),
  )

type PageQuery = { size: number; after: number; leftOut: boolean }

async function listFiles(platform: Platform, id: number, query: PageQuery, by: Caller) {
  await findPlan(platform, id, by)
  return pageOfPlan(platform, id, query)
}

/** A page of the files of any plan, of a user or a policy. */
export async function pageOfPlan(
  platform: Pick<Platform, 'db' | 'clickhouse'>,
  id: number,
  { size, after, leftOut }: PageQuery,
): Promise<{ rows: PlanRow[]; cursor: number | null }> {
  const page = await pageOfSelection(platform.clickhouse, id, { size, after, ...(leftOut && { isLeftOut: true }) })
  const files = await withFullPaths(platform.db, page.rows)
  const rows = files.map(({ position, fullPath: path, size, place, leftOut }) => ({
    position,
    path,
    size,
    place,
    leftOut,
  }))
  return { rows, cursor: page.cursor }
}
