import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { boardTitles, type WallBoard } from '#events/wall.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { linksAt } from '#client/app/links.ts'
import { placesText, type SeenPlaces } from '#events/users/session.ts'
import { session } from '#client/app/session.state.ts'
import { live } from '#client/app/live/live.state.ts'
import { useNow } from '#client/ui/values/clock.ts'
import type { Rotation } from '#client/wall/rotation/rotation.ts'
import { Stage } from './rotation/Stage.tsx'
import { useRotation, type RotationControls } from './rotation/useRotation.ts'
import {
  useAgents,
  useDashboardAndJobs,
  useGrowingNow,
  useGrowth,
  useOptions,
  useReportChecks,
  useWallData,
} from './useWallData.ts'
import { type WallAddress, optionsOf } from './wallAddress.ts'
import { WallHeader } from './WallHeader.tsx'
import { emptyBoards } from './emptyBoards.ts'
import { hasNewCheckFailure, hasNewFailure, hasPassedCritical } from './alarms.ts'
import { shiftAt } from './rotation/rotation.ts'
import classes from './Wall.module.css'

/** Whole screen of the wall: header, board and footer. */
export function Screen({ address }: { address: WallAddress }) {
  useWallData()
  const options = optionsOf(address, useOptions().data)
  useColors(options.scheme)
  const empty = useEmptyBoards()
  const { rotation, move } = useRotation(options, empty)
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
      <WallFooter rotation={rotation} empty={empty} leftOut={address.leftOut} />
    </div>
  )
}

/** Applies the chosen colors to the page; without a choice, those of the browser stay. */
function useColors(scheme: 'dark' | 'light' | null): void {
  useEffect(() => {
    if (scheme) document.documentElement.dataset['mantineColorScheme'] = scheme
  }, [scheme])
}

/** Boards that the rotation skips. */
function useEmptyBoards(): ReadonlySet<WallBoard> {
  const { dashboard, jobs } = useDashboardAndJobs()
  const [checks, growth, agents] = [useReportChecks().data, useGrowth().data, useAgents().data]
  const growing = useGrowingNow().data?.folders
  return emptyBoards({ dashboard, jobs, checks, growth, growing, agents }, useNow())
}

/** Shows the board of a new problem. */
function useAlarms(raise: (board: WallBoard) => void): void {
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

type FooterProps = { rotation: Rotation; empty: ReadonlySet<WallBoard>; leftOut: string[] }

/** Position in the rotation, snapshot date, and time until the next board. */
function WallFooter({ rotation, empty, leftOut }: FooterProps) {
  const { shown, turn, since, every, isHeld } = rotation
  const { dashboard } = useDashboardAndJobs()
  const places = useSnapshot(session).wall
  const boards = rotation.boards.filter((board) => board === shown || !empty.has(board))
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
        {places && <span>Of {placesText(places as SeenPlaces)}</span>}
        <span>{dashboard && (dashboard.indexingDate ? `Snapshot ${dashboard.indexingDate}` : 'No snapshot yet')}</span>
      </p>
    </footer>
  )
}
