import { z } from 'zod'
import { type Baseline, isUsable } from '../baseline.ts'
import type { Client } from '../client.ts'
import { Refused } from '../failures.ts'
import { findSnapshot } from '../snapshots.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

/** Version of the platform API from which changelists have entries: that of OneFS 8.2.1. */
const firstVersion = 8

type Options = { host: string; path: string; scannedPath: string; fullSnapshotDays: number }

/** The snapshot of the last scan, with its time in seconds UTC. Throws `FullScanNeeded` where a delta can't start from it. */
export async function usableBase(
  client: Client,
  { host, path, scannedPath, fullSnapshotDays }: Options,
  baseline: Baseline | undefined,
  signal: AbortSignal,
): Promise<{ id: string; created: number }> {
  if (scannedPath !== '') throw new FullScanNeeded(reasons.ofPart)
  if (fullSnapshotDays === 0) throw new FullScanNeeded(reasons.noSnapshotKept)
  if (!baseline) throw new FullScanNeeded(reasons.noEarlierScan)
  if (baseline.host !== host || baseline.path !== path) throw new FullScanNeeded(reasons.moved)
  const snapshot = await findSnapshot(client, baseline.id, signal)
  if (!isUsable(snapshot, baseline)) throw new FullScanNeeded(reasons.baseGone)
  if ((await newestVersion(client, signal)) < firstVersion) throw new FullScanNeeded(reasons.tooOld)
  return { id: baseline.id, created: snapshot.created ?? Infinity }
}

const Latest = z.object({ latest: z.union([z.string(), z.number()]).transform(Number) })

/** Newest version of the platform API. If it is unknown, the changelist itself shows whether it can be read. */
async function newestVersion(client: Client, signal: AbortSignal): Promise<number> {
  const call = { path: '/platform/latest', purpose: 'read the version of the API', read: Latest }
  return client.patiently(call, signal).then(
    ({ latest }) => latest,
    (error: unknown) => {
      if (error instanceof Refused) return Infinity
      throw error
    },
  )
}
