import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import type { StorageSize } from '#events/dashboard.ts'
import { capacityOf } from '../parts/capacity/capacityOf.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import { percentText } from '../ui/text/count.ts'
import { usageLevel } from '../ui/usage.ts'
import { shareOf } from './alarms.ts'
import { CountFigure, SizeFigure, useSizeText } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import { wall } from './wall.state.ts'
import classes from './Boards.module.css'

const none: StorageSize[] = []
/** What is not known stands last. */
const fullness = (storage: StorageSize) => shareOf(storage) ?? -1

/** How full everything is, the fullest storages first. */
export function CapacityBoard() {
  const { dashboard } = useSnapshot(wall) as typeof wall
  const text = useSizeText()
  const storages = dashboard?.storages ?? none
  const { used, free, capacity } = capacityOf(storages)
  const isKnown = capacity > 0
  const above = dashboard && storages.filter((storage) => fullness(storage) >= 0.8).length
  const sorted = storages.toSorted((a, b) => fullness(b) - fullness(a) || a.name.localeCompare(b.name))
  const of = text(capacity)
  return (
    <>
      <dl className={classes.figures}>
        <SizeFigure
          label="Used"
          of={isKnown ? used : undefined}
          note={isKnown && `${percentText(used / capacity)} of ${of.value} ${of.unit}`}
        />
        <SizeFigure label="Free" of={isKnown ? free : undefined} />
        <CountFigure
          label="Above 80 %"
          of={above}
          note={above === 1 ? 'storage' : 'storages'}
          {...(above !== undefined && above > 0 && { tone: 'warn' })}
        />
      </dl>
      <WallList
        title="Fullest storages"
        rows={dashboard && sorted}
        rowKey={({ volumeId }) => volumeId}
        empty="No storage was scanned yet"
      >
        {(storage) => <StorageLine storage={storage} />}
      </WallList>
    </>
  )
}

function StorageLine({ storage }: { storage: StorageSize }) {
  const { used, total, sizeOfFiles, isPartial } = storage
  const text = useSizeText()
  const sizeOf = (bytes: number) => Object.values(text(bytes)).join(' ')
  const share = shareOf(storage)
  const level = share === undefined ? 'ok' : usageLevel(share)
  const Sign = level === 'critical' ? IconAlertOctagon : IconAlertTriangle
  return (
    <>
      <span className={classes.name}>
        {volumeName(storage)}
        {isPartial && <span className={classes.quiet}> partial</span>}
      </span>
      <span
        className={classes.meter}
        data-level={level}
        style={{ '--share': Math.min(1, share ?? 0) } as CSSProperties}
      >
        <span className={classes.meterFill} />
      </span>
      <span className={classes.percent} data-tone={level === 'ok' ? undefined : level} data-state>
        {level !== 'ok' && <Sign className={classes.sign} stroke={1.75} aria-hidden />}
        {share === undefined ? '-' : percentText(share)}
      </span>
      <span className={classes.detail}>
        {used !== null && total !== null ? `${sizeOf(used)} of ${sizeOf(total)}` : `${sizeOf(sizeOfFiles)} of files`}
      </span>
    </>
  )
}
