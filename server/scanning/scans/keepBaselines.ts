import { BaselineAnswer } from '#events/scans/baselineQuestion.ts'
import { subjects } from '#events/subjects.ts'
import { typesOf } from '#events/sources/kinds.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import { messageOf } from '#server/platform/problem.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { sourceOrderOf } from '#server/scanning/sources/index.ts'

/** Snapshots of delta scans live for at least a day. */
const everyMs = 6 * 60 * 60 * 1_000
/** Days to keep a storage's baseline after its last scan: a snapshot takes more and more space. */
const keptDays = 60
/** A storage may respond slowly. */
const answerWithinMs = 60_000

/**
 * Has agents keep the baselines of storages until the next scan, however rarely delta scans run. If a baseline can't be
 * kept, the next scan is a full one.
 */
export const startKeepingBaselines = (platform: Platform): Running =>
  runEvery(
    everyMs,
    () => keepBaselines(platform),
    'Baselines of delta scans could not be kept, will retry',
    platform.log,
  )

/** Sends one request for each storage with a baseline. Logs storages that fail and continues with the next. */
export async function keepBaselines(platform: Platform): Promise<void> {
  for (const { announced, agentId, ...volume } of await recentlyScanned(platform)) {
    if (!announced?.baseline) continue
    const reason = await keepBaseline(platform, { ...volume, agentId }, announced.baseline).catch(messageOf)
    if (reason !== null) platform.log.warn({ volume: volume.id, reason }, 'The baseline of a storage was not kept')
  }
}

const recentlyScanned = ({ db }: Platform) =>
  db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['volumes.id', 'volumes.type', 'volumes.path', 'volumes.agentId', 'scans.announced'])
    .where('volumes.deletedAt', 'is', null)
    .where(
      'volumes.type',
      'in',
      typesOf(({ hasDelta }) => hasDelta),
    )
    .where('scans.finishedAt', '>', new Date(Date.now() - keptDays * 24 * 60 * 60 * 1_000))
    .execute()

type Volume = Pick<Awaited<ReturnType<typeof recentlyScanned>>[number], 'id' | 'type' | 'path' | 'agentId'>

/** Returns the reason why a baseline was not kept; null if it was. Throws if the storage can't be opened. */
async function keepBaseline(platform: Platform, volume: Volume, baseline: string): Promise<string | null> {
  const source = await sourceOrderOf(platform, volume, { isDelta: true })
  const options = { answer: BaselineAnswer, timeoutMs: answerWithinMs }
  const answer = await askAgent(platform.nats, subjects.baseline(volume.agentId), { source, baseline }, options)
  return answer ? answer.reason : 'The agent does not answer'
}
