import type { Policy } from '#events/policies/policies.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'

type Asked = { runId: number; selectionId: number; policy: Pick<Policy, 'id' | 'name' | 'untouchedDays' | 'action'> }

/** Sends each owner of files in a run's selection one email with a link to them. */
export async function askOwners(
  _: Pick<Platform, 'config' | 'db' | 'clickhouse' | 'live'>,
  { policy }: Asked,
): Promise<void> {
  conflict(`${policy.name} can't ask owners in this version`)
}
