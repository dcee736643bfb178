import { useElementSize } from '@mantine/hooks'
import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import type { StorageSize } from '#events/dashboard.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import { percentText } from '../ui/text/count.ts'
import { type UsageLevel, usageLevel } from '../ui/usage.ts'
import { shareOf } from './alarms.ts'
import { NotKnown } from './NotKnown.tsx'
import { storageTiles, type StorageTile, storedIn } from './storageTiles.ts'
import { CountFigure, useSizeText } from './WallFigure.tsx'
import { wall } from './wall.state.ts'
import boards from './Boards.module.css'
import classes from './MapBoard.module.css'

const none: StorageSize[] = []
const levelOf = (storage: StorageSize): UsageLevel | undefined => {
  const share = shareOf(storage)
  return share === undefined ? undefined : usageLevel(share)
}

/** All storages at once: as large as what is stored in them, in the colour of how full they are. */
export function MapBoard() {
  const { dashboard } = useSnapshot(wall) as typeof wall
  const storages = dashboard?.storages ?? none
  const { ref, width, height } = useElementSize()
  const tiles = storageTiles(storages, width, height, Math.min(innerWidth, innerHeight) / 100)
  const countOf = (level: UsageLevel) => storages.filter((storage) => levelOf(storage) === level).length
  const [fine, full, critical] = [countOf('ok'), countOf('warn'), countOf('critical')]
  return (
    <>
      <dl className={boards.figures}>
        <CountFigure label="Under 80 %" of={dashboard && fine} />
        <CountFigure label="80 % and above" of={dashboard && full} {...(full > 0 && { tone: 'warn' })} />
        <CountFigure label="90 % and above" of={dashboard && critical} {...(critical > 0 && { tone: 'critical' })} />
      </dl>
      {storages.some((storage) => storedIn(storage) > 0) ? (
        <ol ref={ref} className={classes.map} aria-label="Storages by what is stored in them">
          {tiles.map((tile) => (
            <Tile key={tile.storage.volumeId} {...tile} />
          ))}
        </ol>
      ) : !dashboard ? (
        <NotKnown />
      ) : (
        <p className={boards.empty}>No storage was scanned yet</p>
      )}
    </>
  )
}

function Tile({ storage, box, hasWords }: StorageTile) {
  const { isPartial } = storage
  const text = useSizeText()
  const share = shareOf(storage)
  const level = levelOf(storage)
  const Sign = level === 'critical' ? IconAlertOctagon : IconAlertTriangle
  const place = { '--x': box.x, '--y': box.y, '--width': box.width, '--height': box.height } as CSSProperties
  return (
    <li className={classes.tile} data-level={level} style={place}>
      {hasWords && (
        <>
          <span className={classes.name}>{volumeName(storage)}</span>
          <span className={classes.share}>
            {level && level !== 'ok' && <Sign className={boards.sign} stroke={1.75} aria-hidden />}
            {share === undefined ? '-' : percentText(share)}
          </span>
          <span className={classes.size}>
            {Object.values(text(storedIn(storage))).join(' ')}
            {isPartial && ', partial'}
          </span>
        </>
      )}
    </li>
  )
}
