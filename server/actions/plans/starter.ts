import type { ActionRequest } from '#events/actions/plans.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { planAction, startPlan } from './plans.ts'

/** Returns a function that plans an action and starts it in one. */
export const starter =
  (platform: Platform) => async (request: ActionRequest, indexingDate: string | undefined, by: Caller) => {
    const { id } = await planAction(platform, request, { indexingDate, by })
    return { jobId: await startPlan(platform, id, by) }
  }
