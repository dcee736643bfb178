import type { Trx } from '#server/platform/log/eventLog.ts'
import { isReached, type Space, type SpaceAlert } from './sendCapacityAlert.ts'

/**
 * Stores which projects have reached the threshold of an alert, and returns those that hadn't at the last check.
 * Projects without data stay unchanged. Requires a lock of the alert's schedule.
 */
export async function keepCrossings<S extends Space & { id: number }>(
  trx: Trx,
  alert: Pick<SpaceAlert, 'threshold'> & { scheduleId: number },
  spaces: S[],
): Promise<S[]> {
  const { scheduleId } = alert
  const known = await trx
    .selectFrom('alertCrossings')
    .select('projectId')
    .where('scheduleId', '=', scheduleId)
    .execute()
  const isKnown = ({ id }: S) => known.some(({ projectId }) => projectId === id)
  const fallen = spaces.filter((space) => space.percent !== undefined && !isReached(space, alert) && isKnown(space))
  const crossed = spaces.filter((space) => isReached(space, alert) && !isKnown(space))
  if (fallen.length > 0) await forget(trx, scheduleId, fallen)
  const rows = crossed.map(({ id: projectId }) => ({ scheduleId, projectId }))
  if (rows.length > 0) await trx.insertInto('alertCrossings').values(rows).execute()
  return crossed
}

async function forget(trx: Trx, scheduleId: number, spaces: { id: number }[]): Promise<void> {
  const ids = spaces.map(({ id }) => id)
  await trx.deleteFrom('alertCrossings').where('scheduleId', '=', scheduleId).where('projectId', 'in', ids).execute()
}

/** Deletes the crossings of an alert, because it was changed. */
export async function forgetCrossings(trx: Trx, scheduleId: number): Promise<void> {
  await trx.deleteFrom('alertCrossings').where('scheduleId', '=', scheduleId).execute()
}
