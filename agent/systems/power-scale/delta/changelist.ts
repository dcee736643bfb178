import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '../client.ts'
import { Refused } from '../failures.ts'
import { entriesOfPage, isJobConflict, isJobLost, isStream } from '../unconfirmed.ts'
import { type Change, changeOf, EntriesPage } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

/** IDs of two snapshots of one path. */
export type SnapshotPair = { older: string; newer: string }

const Created = z.object({ id: z.number() })
const Jobs = z.object({ jobs: z.array(z.object({ state: z.string() })).max(1_000) })

const jobs = '/platform/3/job/jobs'
const changelists = '/platform/1/snapshot/changelists'
const privilege = 'ISI_PRIV_JOB_ENGINE'
const readPrivilege = 'ISI_PRIV_SNAPSHOT'
/** Time between looks at a job: short ones take seconds, long ones are paused for hours. */
const firstPauseMs = 250
const maxPauseMs = 30_000
const maxJobMs = 36 * 3_600_000
/** Changes of a list that are read at most, which take about 2 GB in a file, and its pages, also of those in a row that have only data streams. */
const maxChanges = 5_000_000
const maxPages = (10 * maxChanges) / entriesOfPage
const maxIdlePages = 4_000

export const changelistId = ({ older, newer }: SnapshotPair): string => `${older}_${newer}`

/** Creates the changelist of two snapshots, or finds it. Throws `FullScanNeeded`. */
export async function createChangelist(client: Client, pair: SnapshotPair, signal: AbortSignal): Promise<void> {
  const pauses = newPauses(signal)
  const job = await startJob(client, pair, { pauses, signal })
  for (;;) {
    const state = await stateOf(client, job, signal)
    if (state === undefined || state === 'succeeded') return
    if (isJobLost(state)) throw new FullScanNeeded(`the job that lists the changes ended as ${state} (job ${job})`)
    await pauses.next()
  }
}

type Waiting = { pauses: { next(): Promise<void> }; signal: AbortSignal }

/** Starts the job once no other job of its type runs, such as the one of an attempt that was interrupted. */
async function startJob(client: Client, { older, newer }: SnapshotPair, { pauses, signal }: Waiting): Promise<number> {
  const body = {
    type: 'ChangelistCreate',
    allow_dup: false,
    policy: 'LOW',
    priority: 5,
    changelistcreate_params: { older_snapid: Number(older), newer_snapid: Number(newer), retain_repstate: false },
  }
  const purpose = 'create a list of changes'
  for (;;) {
    try {
      const call = { method: 'POST', path: jobs, body, purpose, privilege, read: Created } as const
      return (await client.patiently(call, signal)).id
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (!isJobConflict(error.status, error.refusal, error.detail)) throw new FullScanNeeded(error.message)
    }
    await pauses.next()
  }
}

/** State of a job; undefined for one that has ended long enough ago. */
async function stateOf(client: Client, job: number, signal: AbortSignal): Promise<string | undefined> {
  const call = { path: `${jobs}/${job}`, purpose: `read the state of job ${job}`, privilege, read: Jobs }
  try {
    return (await client.patiently(call, signal)).jobs[0]?.state
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Longer and longer pauses. Throws `FullScanNeeded` once they are too long together. */
function newPauses(signal: AbortSignal) {
  let pauseMs = firstPauseMs
  const endMs = performance.now() + maxJobMs
  return {
    async next(): Promise<void> {
      if (performance.now() > endMs) throw new FullScanNeeded(reasons.jobTime)
      await wait(pauseMs, undefined, { signal })
      pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)
    },
  }
}

/** Adds all entries of a changelist except alternate data streams. Throws `FullScanNeeded` where it can't be read. */
export async function readChanges(
  client: Client,
  id: string,
  add: (change: Change) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = `/platform/8/snapshot/changelists/${id}/entries?limit=${entriesOfPage}`
  let count = 0
  const pages = client.pages(
    { path, purpose: 'read the list of changes', privilege: readPrivilege, read: EntriesPage },
    {
      itemsOf({ entries }) {
        count += entries.length
        if (count > maxChanges) throw new FullScanNeeded(reasons.tooMany)
        return entries.filter((entry) => !isStream(entry.change_types))
      },
      endless: () => new FullScanNeeded(reasons.noList),
      limits: { pages: maxPages, idlePages: maxIdlePages },
    },
    signal,
  )
  try {
    for await (const entries of pages) for (const entry of entries) add(changeOf(entry))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.status !== 404) throw new FullScanNeeded(error.message)
    throw new FullScanNeeded((await isBuilt(client, id, signal)) ? reasons.tooOld : reasons.noList)
  }
}

/** True if the cluster has a changelist. If it has no entries, the release has only the older form, which lacks removals. */
async function isBuilt(client: Client, id: string, signal: AbortSignal): Promise<boolean> {
  const purpose = 'read the list of changes'
  try {
    await client.patiently({ path: `${changelists}/${id}`, purpose, privilege: readPrivilege }, signal)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Deletes a changelist, as far as the cluster allows it. */
export async function deleteChangelist(client: Client, id: string, signal: AbortSignal): Promise<void> {
  const purpose = `delete the list of changes ${id}`
  const call = { method: 'DELETE', path: `${changelists}/${id}`, purpose, privilege: readPrivilege } as const
  await client.patiently(call, signal).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}
