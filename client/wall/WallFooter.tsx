import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import type { Rotation } from './rotation.ts'
import { wall } from './wall.state.ts'
import classes from './Wall.module.css'

/** Where in the rotation the wall is, which snapshot it shows, and how long until the next board. */
export function WallFooter({ rotation, leftOut }: { rotation: Rotation; leftOut: string[] }) {
  const { boards, shown, turn, since, every, isHeld } = rotation
  const { dashboard } = useSnapshot(wall) as typeof wall
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
        <span>{rotates && `${boards.indexOf(shown) + 1} / ${boards.length}${isHeld ? ', held' : ''}`}</span>
        {leftOut.length > 0 && <span className={classes.leftOut}>Unknown board left out: {leftOut.join(', ')}</span>}
        <span>{dashboard && (dashboard.indexingDate ? `Snapshot ${dashboard.indexingDate}` : 'No snapshot yet')}</span>
      </p>
    </footer>
  )
}
