import { useEffect, useEffectEvent, useState } from 'react'
import type { WallBoard, WallOptions } from '#events/wall.ts'
import { renewOutdated } from '#client/app/build.ts'
import { advance, beginRotation, hold, raise, step, withOptions } from './rotation.ts'

const tickMs = 250

/** Controls of the rotation. */
export type RotationControls = { by: (boards: number) => void; hold: () => void; raise: (board: WallBoard) => void }

/** Current board; those in `empty` are skipped. A new build of the client is loaded between two turns. */
export function useRotation({ boards, every }: WallOptions, empty: ReadonlySet<WallBoard>) {
  const [rotation, turn] = useState(() => beginRotation(boards, every * 1_000, Date.now()))
  const [move] = useState<RotationControls>(() => ({
    by: (boards) => turn((now) => step(now, boards, Date.now())),
    hold: () => turn((now) => hold(now, Date.now())),
    raise: (board) => turn((now) => raise(now, board, Date.now())),
  }))
  const look = useEffectEvent(() => {
    const now = Date.now()
    if (advance(rotation, now, empty).turn !== rotation.turn) void renewOutdated()
    // Based on the current state, since an alarm may have arrived after the render.
    turn((rotation) => advance(withOptions(rotation, boards, every * 1_000, now), now, empty))
  })
  useEffect(() => {
    const timer = setInterval(() => look(), tickMs)
    return () => clearInterval(timer)
  }, [])
  return { rotation, move }
}
