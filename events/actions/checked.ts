import { z } from 'zod'
import { endpoint, Id } from '#events/contract/endpoint.ts'
import { FoundInStorage } from '#events/jobs/taskResults.ts'
import { actionJobTypes } from './actions.ts'

/** A job that acted on files of a storage, and these files as scans of the storage since then found them. */
export const CheckedAction = z.object({
  jobId: z.int(),
  type: z.enum(actionJobTypes),
  endedAt: z.iso.datetime(),
  found: FoundInStorage,
})
export type CheckedAction = z.infer<typeof CheckedAction>

/** The newest jobs with actions on files of a storage that was scanned since, of those the user may see: none with limits. */
export const checkedActions = endpoint({
  method: 'GET',
  path: '/v1/detailedVolumes/:id/actions',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to get the actions on the storage',
  params: Id,
  answer: z.array(CheckedAction),
})
