import { actions } from '#events/actions/actions.ts'
import type { ActionPlan } from '#events/actions/plans.ts'
import { isPrefix, pathWithin } from '#events/sources/pathMapping.ts'
import { all, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { findSelection, freezeAgain, type FrozenSelection, withListing } from '#server/questions/selections/index.ts'
import { emptySnapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { isInQuarantine, mayBePutBack, movedBy } from '../quarantine/inQuarantine.ts'
import { handlerOf } from './handlers.ts'
import { savePlan } from './plans.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config'>

/**
 * Plans to delete what a job moved to quarantine and is still there, or to put back what may be; or only the files with these full paths. The plan
 * belongs to the policy of the job. Throws 409 if nothing is known of the job.
 */
export async function planOfJob(
  platform: Services,
  action: 'putBack' | 'deleteQuarantined',
  ofJob: number,
  by: Actor,
  paths: readonly string[] = [],
): Promise<ActionPlan> {
  const { db } = platform
  const [moved] = await movedBy(db, [ofJob])
  const source = moved && (await findSelection(db, moved.selection))
  if (!moved || !source) return conflict(`Job ${ofJob} has no files in quarantine`)
  const payload = { ofJob, dataIntellPaths: [...paths] }
  const { plan, parts } = await handlerOf(action).plan(platform, { ofJob }, emptySnapshot, payload)
  const isThere = (action === 'putBack' ? mayBePutBack : isInQuarantine)([moved])
  const { part = sql`0`, leftOut = sql`''` } = plan
  const frozen = await whileListed(platform, source, paths, (isListed) =>
    freezeAgain(platform, source, { part, leftOut, only: all([isThere, ...isListed]), by }),
  )
  return savePlan(platform, frozen, parts, {
    request: { jobType: actions[action].jobTypes.files, payload },
    userId: null,
    policyId: source.plan?.policyId,
  })
}

/** Freezes with a condition on the files with these full paths, if any are given. */
async function whileListed(
  platform: Services,
  { scans }: FrozenSelection,
  paths: readonly string[],
  freeze: (isListed: Sql[]) => Promise<FrozenSelection>,
): Promise<FrozenSelection> {
  if (paths.length === 0) return freeze([])
  const volumes = await platform.db
    .selectFrom('volumes')
    .select(['id', 'path'])
    .where('id', 'in', [0, ...Object.keys(scans).map(Number)])
    .execute()
  const entries = paths.flatMap((path) =>
    volumes
      .filter((volume) => isPrefix(volume.path, path))
      .map(({ id, path: root }) => ({ volumeId: id, path: pathWithin(root, path), isDirectory: false })),
  )
  const frozen = await withListing(platform, entries, ({ from, where }) =>
    freeze([sql`(volume, parent_path, name) IN (SELECT volume, parent_path, name FROM ${from} WHERE ${where})`]),
  )
  return { ...frozen, missing: Math.max(0, new Set(paths).size - frozen.files) }
}
