import { useEffect, useState, type ComponentType } from 'react'
import { useSnapshot } from 'valtio'
import { agentInfos } from '#events/agents.ts'
import { type Endpoint, isRefusedWithLimits } from '#events/contract/endpoint.ts'
import { dashboard } from '#events/dashboard.ts'
import { growingNow } from '#events/feeds/growingNow.ts'
import { jobs } from '#events/jobs/calls.ts'
import { placesText, type SeenPlaces } from '#events/users/session.ts'
import { boardTitles, type WallBoard, wallFolders, wallGrowth } from '#events/wall.ts'
import { session } from '#client/app/session.state.ts'
import { AgentsBoard } from '#client/wall/boards/AgentsBoard.tsx'
import { CapacityBoard } from '#client/wall/boards/CapacityBoard.tsx'
import { GrowingNowBoard } from '#client/wall/boards/GrowingNowBoard.tsx'
import { GrowthBoard } from '#client/wall/boards/GrowthBoard.tsx'
import { JobsBoard } from '#client/wall/boards/JobsBoard.tsx'
import { MapBoard } from '#client/wall/boards/MapBoard.tsx'
import { BoardBoundary } from './BoardBoundary.tsx'
import classes from '#client/wall/Wall.module.css'

const boards: Record<WallBoard, ComponentType> = {
  capacity: CapacityBoard,
  jobs: JobsBoard,
  growth: GrowthBoard,
  now: GrowingNowBoard,
  map: MapBoard,
  agents: AgentsBoard,
}

/** The call without which a board has nothing to show. */
const calls: Record<WallBoard, Endpoint> = {
  capacity: dashboard,
  jobs: jobs.list,
  growth: wallGrowth,
  now: growingNow,
  map: wallFolders,
  agents: agentInfos,
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
  const places = useSnapshot(session).wall as SeenPlaces | undefined
  const shown = leaving ? [leaving, board] : [board]
  return (
    <main className={classes.stage}>
      {shown.map((name) => {
        const Board = boards[name]
        return (
          <div key={name} className={classes.board} data-leaving={name !== board} aria-hidden={name !== board}>
            <BoardBoundary name={boardTitles[name]}>
              {places && isRefusedWithLimits(calls[name]) ? (
                <p className={classes.failed}>Not available for {placesText(places)}</p>
              ) : (
                <Board />
              )}
            </BoardBoundary>
          </div>
        )
      })}
    </main>
  )
}
