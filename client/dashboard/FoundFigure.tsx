import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { type Totals, searchSizes } from '#events/search.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useLinks } from '../app/links.ts'
import { useRemote } from '../app/remote.ts'
import { Figure } from '../ui/Figure.tsx'
import { Refused } from '../ui/Refused.tsx'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { compactCount, countText } from '../ui/text/count.ts'
import { exactSize, sizeText } from '../ui/text/size.ts'
import { useFailureToast } from './useFailureToast.ts'

type FoundFigureProps = {
  label: string
  /** What is searched for, in the words of the address of a search. */
  filters: { onlyDuplicates?: 'true'; lastAccessBefore?: string }
  /** The storages that count; all of them where it is not said. */
  volumeId: number[] | undefined
  atLeast: boolean
}

/** How much a search finds; it leads to that search. */
export function FoundFigure({ label, filters, volumeId, atLeast }: FoundFigureProps) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const found = useFound(filters, volumeId)
  useFailureToast(found)
  const totals = volumeId?.length === 0 ? { count: 0, size: 0 } : found.data
  const note = totals && `${wholeCount(totals.count)} ${totals.count === 1 ? 'file' : 'files'}`
  return (
    <Figure
      label={
        <Link
          href={links.search({ ...filters, volumeId: volumeId?.map(String) })}
          title={totals && `${exactSize(totals.size)} in ${countText(totals.count)} files`}
        >
          {label}
        </Link>
      }
      value={totals?.size ?? (found.error ? null : undefined)}
      text={(bytes) => sizeText(bytes, base)}
      exact={exactSize}
      note={found.error && !found.loading ? <Refused error={found.error} retry={found.retry} /> : note}
      atLeast={atLeast && totals !== undefined}
    />
  )
}

const wholeCount = (count: number) => Object.values(compactCount(count)).join(' ').trim()

function useFound(filters: FoundFigureProps['filters'], volumeId: number[] | undefined) {
  const { indexingDate } = useActiveDate()
  const query = {
    ...filters,
    ...(volumeId && volumeId.length > 0 && { storageId: volumeId }),
    ...(indexingDate !== undefined && { indexingDate }),
  }
  return useRemote<typeof searchSizes>(searchSizes, { query }, 'snapshots', 'dashboard') satisfies {
    data: Totals | undefined
  }
}
