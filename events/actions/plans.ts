import { z } from 'zod'
import { AtDate, endpoint, Flag, Id } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { ActionRequest } from './actions.ts'

/** A part of a plan: files for one agent and one external system, each a task of the job. `system` is as in the payload of the task. */
export type PlannedPart = { part: number; system: number; serverId: number; files: number; bytes: number }
/**
 * Kept with a frozen selection: the action, its parts, and the user who may start it. Plans of a policy belong to it: they are started by its
 * runs alone, and have no user.
 */
export type PlanOfSelection = {
  request: ActionRequest
  parts: PlannedPart[]
  userId: number | null
  policyId?: number | undefined
  /** Name of the folder in quarantine, of a started job that moves files there. */
  folder?: string | undefined
}

/** Number of files and their bytes. */
const counts = { files: z.number(), bytes: z.number() }

/**
 * The frozen list of an action. `files` and `bytes` are those that the job will process; `leftOut` are the others by reason, and `missing` is the
 * number of requested paths that the snapshot doesn't have. The hash binds the list: position, path, size and time of every file.
 */
export const ActionPlan = z.object({
  id: z.int(),
  ...counts,
  leftOut: z.array(z.object({ reason: z.string(), ...counts })),
  missing: z.int(),
  /** Day of the snapshot, `yyyy-MM-dd`; null without a snapshot. */
  indexingDate: z.string().nullable(),
  hash: z.string(),
})
export type ActionPlan = z.infer<typeof ActionPlan>

const common = {
  needs: 'jobs.see',
  failure: 'Something went wrong while planning the action. Please try again.',
} as const

/** Error for a search that takes all files of all storages. */
export const takesEverything =
  'must name something to search for where no filter does, since the action would take all files of all storages'

/**
 * Freezes the files of an action in a snapshot, and starts nothing. 400 for a path that is in no storage, and for a search without a limit
 * unless `everything` is set; 403 without the permission or the bundle of the action.
 */
export const planAction = endpoint({
  ...common,
  limitedBy: 'refused',
  method: 'POST',
  path: '/v1/actions/plans',
  hasLargeBody: true,
  query: AtDate.extend({ everything: Flag }),
  body: ActionRequest,
  answer: ActionPlan,
})

/** Answer of the calls that plan an action and start it in one. */
export const Started = z.object({ jobId: z.int() })

/** Maximum number of paths of one request; the results of a search have no limit. */
export const maxPaths = 10_000
const text = z.string().max(4_096)

/** Full paths of files and folders. */
export const Paths = z.array(text).min(1, 'must name a path').max(maxPaths)
/** Not used: the search names the files. */
export const NoPaths = z.array(text).max(0).nullable().default(null)

/** A file of a plan. `place` is its path in the external system; `leftOut` is the reason, or ''. */
export const PlanRow = z.object({
  position: z.int(),
  path: z.string(),
  size: z.number(),
  place: z.string(),
  leftOut: z.string(),
})
export type PlanRow = z.infer<typeof PlanRow>

/**
 * Plans an ended action again, for the files that failed or were never started, at the newest snapshot. 404 for a job of another user, 409 if the job
 * is open or no file is left.
 */
export const planRest = endpoint({
  ...common,
  limitedBy: 'refused',
  method: 'POST',
  path: '/v1/jobs/:id/plans',
  params: Id,
  answer: ActionPlan,
})

/** Files of a plan by position, or only those that are left out; `cursor` is the position to continue after, null at the end. */
export const plannedFiles = endpoint({
  ...common,
  limitedBy: 'refused',
  method: 'GET',
  path: '/v1/actions/plans/:id/files',
  params: Id,
  query: z.object({ size: writtenInt(1, 1000).default(100), after: writtenInt(0).default(0), leftOut: Flag }),
  answer: z.object({ rows: z.array(PlanRow), cursor: z.int().nullable() }),
})

/** All files of a plan, with those left out, as CSV. */
export const planDownload = endpoint({
  ...common,
  limitedBy: 'refused',
  method: 'GET',
  path: '/v1/actions/plans/:id/csv',
  params: Id,
  download: 'text/csv',
})

/** Starts a plan of one's own, once. 404 if it was dropped, which happens after a day; 409 if it has started, or if no file is left. */
export const startPlan = endpoint({
  ...common,
  limitedBy: 'refused',
  method: 'POST',
  path: '/v1/actions/plans/:id/start',
  params: Id,
  answer: z.object({ jobId: z.int() }),
})
