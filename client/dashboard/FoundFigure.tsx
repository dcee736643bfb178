import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { type Totals, searchSizes } from '#events/search/calls.ts'
import { AsOfDay } from '#client/app/AsOfDay.tsx'
import { useActiveDate } from '#client/app/activeDate.ts'
import { Reclaimable } from '#client/parts/duplicates/Reclaimable.tsx'
import { duplicateRule } from '#client/parts/duplicates/duplicateWords.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { compactCount, counted } from '#client/ui/text/count.ts'
import { exactSize, sizeText } from '#client/ui/text/size.ts'
import { Figure } from '#client/ui/values/Figure.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'

type FoundFigureProps = {
  label: string
  /** Query parameters of the search. */
  filters: { onlyDuplicates?: 'true'; lastAccessBefore?: string }
  /** Storages to include; undefined for all. */
  volumeId: number[] | undefined
  trend: ReactNode
  atLeast: boolean
}

/** Total size of a search, with a link to it. */
export function FoundFigure({ label, filters, volumeId, trend, atLeast }: FoundFigureProps) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const found = useFound(filters, volumeId)
  useFailureToast(found.error, { group: 'dashboard' })
  const rule = filters.onlyDuplicates ? [duplicateRule] : []
  const totals = volumeId?.length === 0 ? { count: 0, size: 0 } : found.data
  const note = totals && <Note totals={totals} isOfDay={filters.onlyDuplicates !== undefined} />
  return (
    <Figure
      label={
        <Link
          href={links.search({ ...filters, volumeId: volumeId?.map(String) })}
          title={totals && [`${exactSize(totals.size)} in ${counted(totals.count, 'file')}`, ...rule].join('. ')}
        >
          {label}
        </Link>
      }
      value={totals?.size ?? (found.error ? null : undefined)}
      text={(bytes) => sizeText(bytes, base)}
      exact={exactSize}
      note={found.error && !found.loading ? <InlineFailure error={found.error} retry={found.retry} /> : note}
      trend={trend}
      atLeast={atLeast && totals !== undefined}
    />
  )
}

function Note({ totals, isOfDay }: { totals: Totals; isOfDay: boolean }) {
  return (
    <>
      {wholeCount(totals.count)} {totals.count === 1 ? 'file' : 'files'}
      {totals.reclaimable !== undefined && ', '}
      <Reclaimable totals={totals} />
      {isOfDay && (
        <span className="block">
          <AsOfDay />
        </span>
      )}
    </>
  )
}

const wholeCount = (count: number) => Object.values(compactCount(count)).join(' ').trim()

function useFound(filters: FoundFigureProps['filters'], volumeId: number[] | undefined) {
  const { at, indexingDate } = useActiveDate()
  const query = {
    ...filters,
    ...(volumeId && volumeId.length > 0 && { storageId: volumeId }),
    ...(filters.onlyDuplicates ? { indexingDate } : at),
  }
  return useRemote<typeof searchSizes>(searchSizes, { query }, 'snapshots', 'dashboard') satisfies {
    data: Totals | undefined
  }
}
