import { policies } from '#events/policies/policies.ts'
import { policyRuns, policySavings, quarantined } from '#events/policies/runs.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { approveRun, declineRun, startByHand, undoRun } from './approveRun.ts'
import { createPolicy, listPolicies, removePolicy, updatePolicy } from './policies.ts'
import { readQuarantined } from './quarantined.ts'
import { filesOfRun, listRuns } from './runs.ts'
import { readSavings } from './savings.ts'

export const policyRoutes = (platform: Platform) => [
  // Before the calls with an id in their place.
  route(quarantined, () => readQuarantined(platform)),
  route(policySavings, () => readSavings(platform.db)),
  ...crudRoutes(platform, policies, {
    topics: ['policies'],
    list: (query) => listPolicies(platform, query),
    create: (change, draft) => createPolicy(platform, change, draft),
    update: (change, id, draft) => updatePolicy(platform, change, id, draft),
    remove: removePolicy,
  }),
  route(policyRuns.list, ({ params, query }) => listRuns(platform, params.id, query)),
  route(policyRuns.start, ({ params }, by) => startByHand(platform, params.id, by)),
  route(policyRuns.approve, ({ params, body }, by) => approveRun(platform, params.id, body.hash, by)),
  route(policyRuns.decline, ({ params }, by) => declineRun(platform, params.id, by)),
  route(policyRuns.undo, async ({ params, body }, by) => ({
    jobId: await undoRun(platform, params.id, body.paths, by),
  })),
  route(policyRuns.files, ({ params, query }) => filesOfRun(platform, params.id, query)),
]
