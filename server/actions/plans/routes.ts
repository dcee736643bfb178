import { archiveFiles, archiveResults, restoreFiles, restoreResults } from '#events/actions/archiware.ts'
import * as calls from '#events/actions/plans.ts'
import { retrieveFiles, retrieveResults, storeFiles, storeResults } from '#events/actions/storageManager.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { exportSelection, pageOfSelection, withFullPaths } from '#server/selections/index.ts'
import { planRest } from './planRest.ts'
import { findPlan, planAction, startPlan } from './plans.ts'
import { starter } from './starter.ts'

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
  ...archiwareActionRoutes(platform),
  ...storNextActionRoutes(platform),
]

const archiwareActionRoutes = (platform: Platform) => {
  const start = starter(platform)
  return [
    route(archiveFiles, ({ params, query, body }, by) =>
      start({ jobType: 'ARCHIVE_ARCHIWARE_FILES', payload: { ...params, ...query, ...body } }, undefined, by),
    ),
    route(archiveResults, ({ params, query, body: { dataIntellPaths: _, ...options } }, by) => {
      const { clientId, serverId, credentialsId, isDirectory, indexingDate, ...filters } = query
      const payload = { ...params, ...options, clientId, serverId, credentialsId, isDirectory, filters }
      return start({ jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT', payload }, indexingDate, by)
    }),
    route(restoreFiles, ({ query, body }, by) =>
      start({ jobType: 'RESTORE_ARCHIWARE_FILES', payload: { ...query, ...body } }, undefined, by),
    ),
    route(restoreResults, ({ query, body: { relocate } }, by) => {
      const { clientId, credentialsId, isDirectory, indexingDate, ...filters } = query
      const payload = { clientId, credentialsId, relocate, isDirectory, filters }
      return start({ jobType: 'RESTORE_ARCHIWARE_SEARCH_RESULT', payload }, indexingDate, by)
    }),
  ]
}

const storNextActionRoutes = (platform: Platform) => {
  const start = starter(platform)
  return [
    route(storeFiles, ({ body: payload }, by) =>
      start({ jobType: 'ARCHIVE_STORAGE_MANAGER_FILES', payload }, undefined, by),
    ),
    route(storeResults, ({ query: { isDirectory, indexingDate, ...filters } }, by) =>
      start({ jobType: 'ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT', payload: { isDirectory, filters } }, indexingDate, by),
    ),
    route(retrieveFiles, ({ body: payload }, by) =>
      start({ jobType: 'RESTORE_STORAGE_MANAGER_FILES', payload }, undefined, by),
    ),
    route(retrieveResults, ({ query: { isDirectory, indexingDate, ...filters }, body: { relocate } }, by) => {
      const payload = { relocate, isDirectory, filters }
      return start({ jobType: 'RESTORE_STORAGE_MANAGER_SEARCH_RESULT', payload }, indexingDate, by)
    }),
  ]
}

async function listFiles(
  platform: Platform,
  id: number,
  { size, after, leftOut }: { size: number; after: number; leftOut: boolean },
  by: Caller,
) {
  await findPlan(platform, id, by)
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
