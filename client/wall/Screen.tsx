import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import { live } from '../app/live/live.state.ts'
import { Stage } from './Stage.tsx'
import { useAlarms } from './useAlarms.ts'
import { useRotation } from './useRotation.ts'
import { useShift } from './useShift.ts'
import { useWallData } from './useWallData.ts'
import { useWallKeys } from './useWallKeys.ts'
import { type WallAddress, boardTitles } from './wallAddress.ts'
import { WallFooter } from './WallFooter.tsx'
import { WallHeader } from './WallHeader.tsx'
import classes from './Wall.module.css'

/** The whole picture: what is shown and how old it is, the board, and where in the rotation it is. */
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
