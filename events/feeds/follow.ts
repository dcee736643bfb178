import { z } from 'zod'
import { externalText } from '../contract/externalText.ts'
import { ScanOrder } from '../sources/scanOrder.ts'

/*
 * An agent asks every `followEveryMs`, and when the server nudges it, which storages it should follow, and says how it does. The answer is
 * complete: what it doesn't name is no longer followed. So a restart of either side ends nothing for longer than that.
 */

/** Milliseconds between two requests of an agent. */
export const followEveryMs = 5_000

/** An agent's state of following a storage; see `LiveState`. */
export const FollowStatus = z.object({
  volumeId: z.int(),
  state: z.enum(['LIVE', 'UNAVAILABLE']),
  reason: externalText(500).nullable(),
  /** Of the agent's clock, as `baseStartedAt` is: from then on every change was seen. */
  since: z.iso.datetime().nullable(),
  behindMs: z.number().min(0).nullable(),
})
export type FollowStatus = z.infer<typeof FollowStatus>

/** Request on `subjects.follow`. */
export const FollowRequest = z.object({ run: z.string().max(64), statuses: z.array(FollowStatus).max(10_000) })
export type FollowRequest = z.infer<typeof FollowRequest>

const { volumeId, source, ignoredPaths, indexFolderOnlyPaths, crossFileSystems, withoutOwners } = ScanOrder.shape

/** A storage to follow. */
export const FollowOrder = z.object({
  volumeId,
  source,
  ignoredPaths,
  indexFolderOnlyPaths,
  crossFileSystems,
  withoutOwners,
  /**
   * Names the state that changes are added to: another one after each committed scan, restore, or change of these settings. Flushes for
   * another session are refused. Folders that changed since `baseStartedAt`, as far as the agent knows them, are listed for each new session.
   */
  session: z.uuid(),
  /** Start of the scan that the session is based on, by the clock of the agent that ran it. */
  baseStartedAt: z.iso.datetime(),
})
export type FollowOrder = z.infer<typeof FollowOrder>

export const FollowAnswer = z.object({ follow: z.array(FollowOrder) })
export type FollowAnswer = z.infer<typeof FollowAnswer>
