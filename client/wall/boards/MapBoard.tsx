import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { type CSSProperties, useLayoutEffect, useState } from 'react'
import { groupByDisk, usedShare } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { diskName } from '#client/parts/storages/volumeWords.ts'
import { percentText } from '#client/ui/text/count.ts'
import { type UsageLevel, usageLevel } from '#client/ui/values/usage.ts'
import type { Box } from '#client/parts/map/canvas/layoutTreemap.ts'
import { useDashboardAndJobs, useFolders } from '#client/wall/useWallData.ts'
import { NotKnownYet } from './WallList.tsx'
import { type DiskTile, diskTiles, type FolderTile, folderTiles, storedIn } from './storageTiles.ts'
import { CountFigure, useSizeText } from './WallFigure.tsx'
import boards from './Boards.module.css'
import classes from './MapBoard.module.css'

const none: StorageSize[] = []
const levelOf = ([storage]: StorageSize[]): UsageLevel | undefined => {
  const share = storage && usedShare(storage)
  return share === undefined ? undefined : usageLevel(share)
}

/** Treemap of all disks with their largest folders: area by stored size, color by usage. */
export function MapBoard() {
  const { dashboard } = useDashboardAndJobs()
  const { data: folders } = useFolders()
  const storages = dashboard?.storages ?? none
  const { ref, width, height } = useSize()
  const disks = groupByDisk(storages)
  const vmin = Math.min(innerWidth, innerHeight) / 100
  const tiles = diskTiles(storages, width, height, vmin)
  const countOf = (level: UsageLevel) => disks.filter((disk) => levelOf(disk) === level).length
  const [fine, full, critical] = [countOf('ok'), countOf('warn'), countOf('critical')]
  return (
    <>
      <dl className={boards.figures}>
        <CountFigure label="Under 80 %" of={dashboard && fine} />
        <CountFigure label="80 to 90 %" of={dashboard && full} {...(full > 0 && { tone: 'warn' })} />
        <CountFigure label="90 % and above" of={dashboard && critical} {...(critical > 0 && { tone: 'critical' })} />
      </dl>
      {disks.some((disk) => storedIn(disk) > 0) ? (
        <ol ref={ref} className={classes.map} aria-label="Storages and folders by size">
          {tiles.map((tile) => (
            <Tile
              key={tile.disk[0]?.volumeId}
              tile={tile}
              folders={folderTiles(tile, folders ?? [], { width, height, vmin })}
            />
          ))}
        </ol>
      ) : !dashboard ? (
        <NotKnownYet />
      ) : (
        <p className={boards.empty}>No storage scanned yet</p>
      )}
    </>
  )
}

const placeOf = ({ x, y, width, height }: Box) =>
  ({ '--x': x, '--y': y, '--width': width, '--height': height }) as CSSProperties

/** A disk: its name, usage and size, and its folders if there is room for them. */
function Tile({ tile: { disk, box, hasWords }, folders }: { tile: DiskTile; folders: FolderTile[] }) {
  const isPartial = disk.some(({ isPartial }) => isPartial)
  const text = useSizeText()
  const share = disk[0] && usedShare(disk[0])
  const level = levelOf(disk)
  const Sign = level === 'critical' ? IconAlertOctagon : IconAlertTriangle
  return (
    <li className={classes.tile} data-level={level} data-open={folders.length > 0} style={placeOf(box)}>
      {hasWords && (
        <div className={classes.head}>
          <span className={classes.name}>{diskName(disk)}</span>
          <span className={classes.share}>
            {level && level !== 'ok' && <Sign className={boards.sign} stroke={1.75} aria-hidden />}
            {share === undefined ? '-' : percentText(share)}
          </span>
          <span className={classes.size}>
            {Object.values(text(storedIn(disk))).join(' ')}
            {isPartial && ', partial'}
          </span>
        </div>
      )}
      {folders.length > 0 && (
        <ol className={classes.folders}>
          {folders.map(({ key, name, size, box, hasWords }) => (
            <li key={key} className={classes.folder} data-other={name === undefined} style={placeOf(box)}>
              {hasWords && (
                <>
                  <span className={classes.name}>{name ?? 'Other files'}</span>
                  <span className={classes.size}>{Object.values(text(size)).join(' ')}</span>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

/**
 * Size of an element in pixels, read again when the window changes. Boards fill the window, so nothing else changes
 * it, and `ResizeObserver` is missing in some of the supported browsers.
 */
function useSize() {
  const [element, ref] = useState<Element | null>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => {
      const { width, height } = element.getBoundingClientRect()
      setSize({ width, height })
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [element])
  return { ref, ...size }
}
