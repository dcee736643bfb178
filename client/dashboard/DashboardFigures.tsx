import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { Dashboard } from '#events/dashboard.ts'
import { monthsBefore } from '#events/days.ts'
import { useLinks } from '../app/links.ts'
import { Figure, Figures } from '../ui/Figure.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { compactCount, countText, counted } from '../ui/text/count.ts'
import { exactSize, sizeText } from '../ui/text/size.ts'
import { chosenStorages } from './chosenStorages.ts'
import { dashboardState } from './dashboard.state.ts'
import { FoundFigure } from './FoundFigure.tsx'
import { storageTotals, type StorageTotals } from './storageTotals.ts'

/** For how many months files are not accessed before a figure counts them. */
const coldMonths = [3, 6, 9] as const

/** The first row: what the chosen storages hold together, and how much of it lies there twice or untouched. */
export function DashboardFigures({ dashboard: { data: dashboard, error } }: { dashboard: Loadable<Dashboard> }) {
  const { leftOut } = useSnapshot(dashboardState)
  const storages = dashboard?.storages ?? []
  const { chosen, volumeId } = chosenStorages(storages, leftOut)
  const totals = storageTotals(chosen)
  const known = (value: number | null) => (dashboard ? value : error ? null : undefined)
  const found = { volumeId, atLeast: totals.partial > 0 }
  return (
    <Figures>
      <Used known={known} totals={totals} isAny={chosen.length > 0} />
      <Files known={known} totals={totals} volumeId={volumeId} />
      <FoundFigure label="Duplicates" filters={{ onlyDuplicates: 'true' }} {...found} />
      {coldMonths.map((months) => {
        const label = `Not accessed for ${months} months`
        const day = dashboard?.indexingDate
        if (!day) return <Figure key={months} label={label} value={known(null)} text={unknown} />
        return (
          <FoundFigure
            key={months}
            label={label}
            filters={{ lastAccessBefore: monthsBefore(day, months) }}
            {...found}
          />
        )
      })}
    </Figures>
  )
}

const unknown = () => ({ value: '-', unit: '' })

type KnownProps = { known: (value: number | null) => number | null | undefined; totals: StorageTotals }

/** Of storages that do not tell their capacity it is known how large their files are. */
function Used({ known, totals, isAny }: KnownProps & { isAny: boolean }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const { used, capacity } = totals
  const note = capacity > 0 ? `of ${words(capacity, base)} capacity` : isAny && 'Capacity unknown'
  return (
    <Figure
      label={<Link href={links.fileManagement()}>Used</Link>}
      value={known(capacity > 0 || !isAny ? used : null)}
      text={(bytes) => sizeText(bytes, base)}
      exact={exactSize}
      note={note}
    />
  )
}

function Files({ known, totals, volumeId }: KnownProps & { volumeId: number[] | undefined }) {
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
      note={files > 0 && `${words(sizeOfFiles, base)} in ${counted(folders, 'folder')}`}
      atLeast={partial > 0}
    />
  )
}

const words = (bytes: number, base: Parameters<typeof sizeText>[1]) => Object.values(sizeText(bytes, base)).join(' ')
