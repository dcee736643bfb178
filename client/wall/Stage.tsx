import { useEffect, useState } from 'react'
import { BoardBoundary } from './BoardBoundary.tsx'
import { boards } from './boards.tsx'
import { type BoardName, boardTitles } from './wallAddress.ts'
import classes from './Wall.module.css'

/** How long one board fades into the next, in milliseconds. */
const fade = 400

/** The board that is shown. The one before it goes while it comes, and is then taken away. */
export function Stage({ board }: { board: BoardName }) {
  const [last, keep] = useState(board)
  const [leaving, leave] = useState<BoardName>()
  if (last !== board) {
    leave(last)
    keep(board)
  }
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => leave(undefined), fade)
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
