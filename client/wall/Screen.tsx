import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { withBase } from '#client/app/place/basePath.ts'
import { linksAt } from '#client/app/links.ts'
import { live } from '#client/app/live/live.state.ts'
import type { Rotation } from '#client/wall/rotation/rotation.ts'
import { Stage } from './rotation/Stage.tsx'
import { useRotation, type RotationControls } from './rotation/useRotation.ts'
import { useDashboardAndJobs, useReportChecks, useWallData } from './useWallData.ts'
import { type WallAddress, boardTitles, type BoardName } from './wallAddress.ts'
import { WallHeader } from './WallHeader.tsx'
import { hasNewCheckFailure, hasNewFailure, hasPassedCritical } from './alarms.ts'
import { shiftAt } from './rotation/rotation.ts'
import classes from './Wall.module.css'

/** Whole screen of the wall: header, board and footer. */
export function Screen({ address }: { address: WallAddress }) {
  useWallData()
  const { rotation, move } = useRotation(address)
  useAlarms(move.raise)
  useWallKeys(move)
  const { x, y } = useShift()
  const { phase } = useSnapshot(live)
  const isStale = phase === 'stale' || phase === 'offline'
  return (
    <div
      className={classes.wall}
      data-stale={isStale}
      data-framed={rotation.isFramed}
      style={{ '--shift-x': x, '--shift-y': y } as CSSProperties}
    >
      <WallHeader title={boardTitles[rotation.shown]} />
      <Stage board={rotation.shown} />
      <WallFooter rotation={rotation} leftOut={address.leftOut} />
    </div>
  )
}

/** Shows the board of a new problem. */
function useAlarms(raise: (board: BoardName) => void): void {
  const { dashboard, jobs } = useDashboardAndJobs()
  const { data: checks } = useReportChecks()
  const before = useRef({ dashboard, jobs, checks })
  useEffect(() => {
    const known = before.current
    before.current = { dashboard, jobs, checks }
    if (hasPassedCritical(known.dashboard, dashboard)) raise('capacity')
    if (hasNewFailure(known.jobs, jobs) || hasNewCheckFailure(known.checks, checks)) raise('jobs')
  }, [dashboard, jobs, checks, raise])
}

/** Offset of the picture against burn-in, in vmin; changes every minute. */
function useShift(): { x: number; y: number } {
  const [shift, move] = useState(() => shiftAt(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => move(shiftAt(Date.now())), 60_000)
    return () => clearInterval(timer)
  }, [])
  return shift
}

/** Keyboard shortcuts for setup: Esc leaves, arrow keys change the board, Space pauses. */
function useWallKeys(move: RotationControls): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const handlers: Record<string, () => void> = {
        Escape: () => location.assign(withBase(linksAt().dashboard())),
        ArrowLeft: () => move.by(-1),
        ArrowRight: () => move.by(1),
        ' ': () => event.repeat || move.hold(),
      }
      const handler = handlers[event.key]
      if (!handler) return
      event.preventDefault()
      handler()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [move])
}

/** Position in the rotation, snapshot date, and time until the next board. */
function WallFooter({ rotation, leftOut }: { rotation: Rotation; leftOut: string[] }) {
  const { boards, shown, turn, since, every, isHeld } = rotation
  const { dashboard } = useDashboardAndJobs()
  const rotates = boards.length > 1
  return (
    <footer className={classes.footer}>
      <div className={classes.hairline}>
        {rotates && (
          <div
            key={`${turn} ${since}`}
            className={classes.fill}
            data-held={isHeld}
            style={{ '--every': `${every}ms` } as CSSProperties}
          />
        )}
      </div>
      <p className={classes.footerLine}>
        <span>{rotates && `${boards.indexOf(shown) + 1} / ${boards.length}${isHeld ? ', paused' : ''}`}</span>
        {leftOut.length > 0 && <span className={classes.leftOut}>Unknown board left out: {leftOut.join(', ')}</span>}
        <span>{dashboard && (dashboard.indexingDate ? `Snapshot ${dashboard.indexingDate}` : 'No snapshot yet')}</span>
      </p>
    </footer>
  )
}
