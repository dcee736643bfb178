import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { hasFailedAnew, hasPassedCritical } from './alarms.ts'
import { wall } from './wall.state.ts'
import type { BoardName } from './wallAddress.ts'

/** Brings forward the board of what went wrong since it was looked at last. */
export function useAlarms(raise: (board: BoardName) => void): void {
  const { dashboard, jobs } = useSnapshot(wall) as typeof wall
  const before = useRef({ dashboard, jobs })
  useEffect(() => {
    const known = before.current
    before.current = { dashboard, jobs }
    if (hasPassedCritical(known.dashboard, dashboard)) raise('capacity')
    if (hasFailedAnew(known.jobs, jobs)) raise('jobs')
  }, [dashboard, jobs, raise])
}
