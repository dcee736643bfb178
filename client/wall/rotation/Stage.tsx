import { useEffect, useState, type ComponentType } from 'react'
import { boardTitles, type WallBoard } from '#events/wall.ts'
import { AgentsBoard } from '#client/wall/boards/AgentsBoard.tsx'
import { CapacityBoard } from '#client/wall/boards/CapacityBoard.tsx'
import { GrowthBoard } from '#client/wall/boards/GrowthBoard.tsx'
import { JobsBoard } from '#client/wall/boards/JobsBoard.tsx'
import { MapBoard } from '#client/wall/boards/MapBoard.tsx'
import { BoardBoundary } from './BoardBoundary.tsx'
import classes from '#client/wall/Wall.module.css'

const boards: Record<WallBoard, ComponentType> = {
  capacity: CapacityBoard,
  jobs: JobsBoard,
  growth: GrowthBoard,
  map: MapBoard,
  agents: AgentsBoard,
}

/** Duration of the fade between boards, in milliseconds. */
const fadeMs = 400

/** The current board. The previous one fades out and is then removed. */
export function Stage({ board }: { board: WallBoard }) {
  const [last, keep] = useState(board)
  const [leaving, leave] = useState<WallBoard>()
  if (last !== board) {
    leave(last)
    keep(board)
  }
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => leave(undefined), fadeMs)
    return () => clearTimeout(timer)
  }, [leaving])
  const shown = leaving ? [leaving, board] : [board]
  return (
    <main className={classes.stage}>
      {shown.map((name) => {
        const Board = boards[name]
        return (
          <div key={name} className={classes.board} data-leaving={name !== board} aria-hidden={name !== board}>
            <BoardBoundary name={boardTitles[name]}>
              <Board />
            </BoardBoundary>
          </div>
        )
      })}
    </main>
  )
}
