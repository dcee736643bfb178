import { lazy, type ReactNode, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { monthsBefore } from '#events/contract/days.ts'
import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import { coldMonths, type FiguresAtDate, figureHistory } from '#events/overview/history.ts'
import { useLinks } from '#client/app/links.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { compactCount, countText, counted, percentText } from '#client/ui/text/count.ts'
import { exactSize, sizeText } from '#client/ui/text/size.ts'
import { Figure, Figures } from '#client/ui/values/Figure.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { noCapacityText } from '#client/parts/storages/DiskSpace.tsx'
import { chosenStorages, storageTotals, type StorageTotals } from './storages.ts'
import { storageSelection } from './selection.state.ts'
import { FoundFigure } from './FoundFigure.tsx'
import { useRemote } from '#client/app/remote.ts'
import { useActiveDate } from '#client/app/activeDate.ts'

// Loaded after the first page.
const FigureTrend = lazy(() => import('./FigureTrend.tsx').then((m) => ({ default: m.FigureTrend })))

/** First row of figures: totals of the selected storages, duplicates and unused data. */
export function DashboardFigures({ dashboard: { data: dashboard, error } }: { dashboard: Loadable<Dashboard> }) {
  const { leftOut } = useSnapshot(storageSelection)
  const storages = dashboard?.storages ?? []
  const { chosen, volumeId } = chosenStorages(storages, leftOut)
  const totals = storageTotals(chosen)
  const known = (value: number | null) => (dashboard ? value : error ? null : undefined)
  const found = { volumeId, atLeast: totals.partial > 0 }
  const history = useFigureHistory(volumeId)
  const hasTrend = useHasTrend(history)
  const trend = (of: (figures: FiguresAtDate) => number | null, isCount = false) =>
    hasTrend ? (
      <Suspense fallback={null}>{history && <FigureTrend history={history} of={of} isCount={isCount} />}</Suspense>
    ) : undefined
  return (
    <Figures>
      <Used known={known} totals={totals} chosen={chosen} trend={trend(({ used }) => used)} />
      <Files known={known} totals={totals} volumeId={volumeId} trend={trend(({ files }) => files, true)} />
      <FoundFigure
        label="Duplicates"
        filters={{ onlyDuplicates: 'true' }}
        trend={trend(({ duplicates }) => duplicates)}
        {...found}
      />
      {coldMonths.map((months, index) => {
        const label = `Not accessed for ${months} months`
        const day = dashboard?.indexingDate
        if (!day)
          return (
            <Figure key={months} label={label} value={known(null)} text={unknown} trend={hasTrend ? null : undefined} />
          )
        return (
          <FoundFigure
            key={months}
            label={label}
            filters={{ lastAccessBefore: monthsBefore(day, months) }}
            trend={trend(({ cold }) => cold[index] ?? null)}
            {...found}
          />
        )
      })}
    </Figures>
  )
}

const unknown = () => ({ value: '-', unit: '' })

type KnownProps = {
  known: (value: number | null) => number | null | undefined
  totals: StorageTotals
  trend: ReactNode
}

/** For storages without a capacity, only the size of their files is known. */
function Used({ known, totals, chosen, trend }: KnownProps & { chosen: readonly StorageSize[] }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const { used, free, capacity } = totals
  const note =
    capacity > 0
      ? `${percentText(used / (used + free || 1))}, ${sizeWithUnit(free, base)} available of ${sizeWithUnit(capacity, base)}`
      : chosen.length > 0 && noCapacityText(chosen.find(({ limited }) => limited) ?? {})
  return (
    <Figure
      label={<Link href={links.fileManagement()}>Used</Link>}
      value={known(capacity > 0 || chosen.length === 0 ? used : null)}
      text={(bytes) => sizeText(bytes, base)}
      exact={exactSize}
      note={note}
      trend={trend}
    />
  )
}

function Files({ known, totals, volumeId, trend }: KnownProps & { volumeId: number[] | undefined }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const { files, folders, sizeOfFiles, partial } = totals
  return (
    <Figure
      label={
        <Link
          href={links.search({ volumeId: volumeId?.map(String) })}
          title={`${exactSize(sizeOfFiles)}, ${counted(folders, 'folder')}`}
        >
          Files
        </Link>
      }
      value={known(files)}
      text={compactCount}
      exact={countText}
      note={files > 0 && `${sizeWithUnit(sizeOfFiles, base)} in ${counted(folders, 'folder')}`}
      trend={trend}
      atLeast={partial > 0}
    />
  )
}

const sizeWithUnit = (bytes: number, base: Parameters<typeof sizeText>[1]) =>
  Object.values(sizeText(bytes, base)).join(' ')

/**
 * A single snapshot has no change, so no room is kept for it. The dates of the snapshots are known before the history, so
 * that nothing moves when it arrives.
 */
function useHasTrend(history: readonly FiguresAtDate[] | undefined): boolean {
  const { dates, active } = useActiveDate()
  if (history) return history.length > 1
  const day = active?.indexingDate ?? ''
  return dates.data?.some(({ indexingDate }) => indexingDate < day) ?? true
}

/** Figures of the last 30 days for some storages, or for all. Undefined until loaded, and if they can't be read. */
function useFigureHistory(volumeId: number[] | undefined) {
  const { indexingDate } = useActiveDate()
  const isEmpty = volumeId?.length === 0
  const query = {
    ...(volumeId && { storageId: volumeId }),
    ...(indexingDate !== undefined && { indexingDate }),
  }
  const { data } = useRemote(figureHistory, isEmpty ? undefined : { query }, 'snapshots', 'dashboard')
  return isEmpty ? undefined : data
}
