import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { compareNames } from '#events/contract/names.ts'
import { capacityOf, groupByDisk, usableBytes, usedShare } from '#events/capacity.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { fillsThisYear, forecastText, fullFirst, isSoonFull } from '#client/parts/storages/forecastWords.ts'
import { diskName, volumeName } from '#client/parts/storages/volumeWords.ts'
import { percentText } from '#client/ui/text/count.ts'
import { ageText } from '#client/ui/text/duration.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { usageLevel } from '#client/ui/values/usage.ts'
import { useDashboardAndJobs } from '#client/wall/useWallData.ts'
import { CountFigure, SizeFigure, WallFigure, useSizeText } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

const none: StorageSize[] = []
/** Unknown usage sorts last. */
const fullness = (storage: StorageSize | undefined) => (storage && usedShare(storage)) ?? -1

/** Usage of all disks, fullest first, with their storages. */
export function CapacityBoard() {
  const { dashboard } = useDashboardAndJobs()
  const storages = dashboard?.storages ?? none
  const sorted = storages.toSorted((a, b) => fullness(b) - fullness(a) || compareNames(a.name, b.name))
  const disks = groupByDisk(sorted)
  const first = fullFirst(disks.flatMap(([disk]) => disk ?? []))
  const above = dashboard && disks.filter(([disk]) => fullness(disk) >= 0.8).length
  return (
    <>
      <dl className={classes.figures}>
        <UsedFigures storages={storages} />
        <CountFigure
          label="Above 80 %"
          of={above}
          note={above === 1 ? 'disk' : 'disks'}
          {...(above !== undefined && above > 0 && { tone: 'warn' })}
        />
        <FullFirst disk={first} />
      </dl>
      <WallList
        title="Fullest storages"
        rows={dashboard && disks.flatMap(linesOf)}
        rowKey={({ key }) => key}
        empty="No storage scanned yet"
      >
        {(line) =>
          line.isPart ? <PartLine storage={line.storage} /> : <DiskLine {...line} hasForecasts={first !== undefined} />
        }
      </WallList>
    </>
  )
}

/** Used and free space of all disks. Without any known capacity, as with buckets only, the size of the files. */
function UsedFigures({ storages }: { storages: readonly StorageSize[] }) {
  const text = useSizeText()
  const { used, free } = capacityOf(storages)
  if (used + free === 0 && storages.length > 0)
    return <SizeFigure label="Size of files" of={storages.reduce((sum, { countedSize }) => sum + countedSize, 0)} />
  const isKnown = used + free > 0
  const of = text(used + free)
  return (
    <>
      <SizeFigure
        label="Used"
        of={isKnown ? used : undefined}
        note={isKnown && `${percentText(used / (used + free))} of ${of.value} ${of.unit}`}
      />
      <SizeFigure label="Free" of={isKnown ? free : undefined} />
    </>
  )
}

/** Days until the first disk is full, if one fills up within a year. */
function FullFirst({ disk }: { disk: StorageSize | undefined }) {
  if (!disk?.forecast) return null
  const { forecast } = disk
  const days = Math.floor(forecast.days)
  return (
    <WallFigure
      label="First full in"
      value={days === 0 ? '< 1' : String(days)}
      unit={days > 1 ? 'days' : 'day'}
      note={volumeName(disk)}
      {...(isSoonFull(forecast) && { tone: 'warn' })}
    />
  )
}

type Line = { key: string; name: string; storage: StorageSize; isPart: boolean }

/** A disk, followed by its storages if there are several. */
function linesOf(disk: StorageSize[]): Line[] {
  const [first] = disk
  if (!first) return []
  const whole = { key: `disk ${first.volumeId}`, name: diskName(disk), storage: first, isPart: false }
  if (disk.length === 1) return [whole]
  const part = (storage: StorageSize) => ({
    key: `${storage.volumeId}`,
    name: volumeName(storage),
    storage,
    isPart: true,
  })
  return [whole, ...disk.map(part)]
}

function PartLine({ storage }: { storage: StorageSize }) {
  const text = useSizeText()
  return (
    <>
      <span className={classes.part}>
        {volumeName(storage)}
        {storage.isPartial && <span className={classes.quiet}> partial</span>}
        <LiveAge asOf={storage.asOf} />
      </span>
      <span className={classes.detail}>{Object.values(text(storage.sizeOfFiles)).join(' ')} of files</span>
    </>
  )
}

/** All rows have room for a forecast if one has it, so that the meters align. */
function DiskLine({ name, storage, hasForecasts }: Line & { hasForecasts: boolean }) {
  const { used, sizeOfFiles, isPartial } = storage
  const text = useSizeText()
  const sizeOf = (bytes: number) => Object.values(text(bytes)).join(' ')
  const share = usedShare(storage)
  const usable = usableBytes(storage)
  return (
    <>
      <span className={classes.name}>
        {name}
        {isPartial && <span className={classes.quiet}> partial</span>}
        <LiveAge asOf={storage.asOf} />
      </span>
      {share === undefined ? (
        <>
          <span className={classes.place}>
            {groupOfType(storage.type) === 'file' ? 'Capacity unknown' : 'No capacity limit'}
          </span>
          <span className={classes.percent} />
        </>
      ) : (
        <Usage share={share} />
      )}
      {hasForecasts && (
        <span className={classes.forecast}>
          {fillsThisYear(storage) && storage.forecast && forecastText(storage.forecast)}
        </span>
      )}
      <span className={classes.detail}>
        {usable === undefined ? `${sizeOf(sizeOfFiles)} of files` : `${sizeOf(used ?? 0)} of ${sizeOf(usable)}`}
      </span>
    </>
  )
}

/** Figures of other storages are older than this, in milliseconds. */
const maxLiveMs = 60_000

/** Age of the figures of a live storage. */
function LiveAge({ asOf = 0 }: Pick<StorageSize, 'asOf'>) {
  const age = useNow() - asOf
  return age < maxLiveMs && <span className={classes.quiet}> {ageText(age)} ago</span>
}

/** Meter with its percentage. */
function Usage({ share }: { share: number }) {
  const level = usageLevel(share)
  const Sign = level === 'critical' ? IconAlertOctagon : IconAlertTriangle
  return (
    <>
      <span className={classes.meter} data-level={level} style={{ '--share': Math.min(1, share) } as CSSProperties}>
        <span className={classes.meterFill} />
      </span>
      <span className={classes.percent} data-tone={level === 'ok' ? undefined : level} data-state>
        {level !== 'ok' && <Sign className={classes.sign} stroke={1.75} aria-hidden />}
        {percentText(share)}
      </span>
    </>
  )
}
