import { Button } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import type { ChangeTotals, KindOfChange } from '#events/comparison.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { DisplayToggles } from '#client/ui/table/DisplayToggles.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Tabs } from '#client/ui/Tabs.tsx'
import { visible } from '#client/ui/text/visible.ts'
import { countText } from '#client/ui/text/count.ts'
import type { ComparedPlace, ComparisonAddress, DifferenceList, ChangeComparison } from './comparisonAddress.ts'
import { DifferenceTable } from './DifferenceTable.tsx'
import { kindsText } from './kindWords.ts'
import type { ComparisonData } from './useCompared.ts'
import classes from './Differences.module.css'

type DifferencesCardProps = {
  place: ComparedPlace
  previousDate: string
  address: ComparisonAddress
  changeComparison: ChangeComparison
  found: ComparisonData['found']
  kinds: readonly ChangeTotals[] | undefined
}

/** Lists of changed files and folders. */
export function DifferencesCard({ kinds, ...props }: DifferencesCardProps) {
  const { address, changeComparison, found } = props
  const isOfPart = address.owner !== '' || address.extension !== ''
  // Totals are not known by owner or extension.
  const note = (list: DifferenceList) => kinds && !isOfPart && countText(totalOf(kinds, address.kinds, list))
  return (
    <Panel
      title="Differences"
      note={<Filters address={address} changeComparison={changeComparison} />}
      actions={<DisplayToggles />}
      busy={found.loading}
      again={found.loading && found.data !== undefined}
    >
      <div className={classes.lists}>
        <Tabs
          label="Differences"
          shown={address.list}
          onShow={(list) => changeComparison({ list })}
          tabs={[
            { key: 'files', title: 'Files', note: note('files'), content: <Listed {...props} /> },
            { key: 'folders', title: 'Folders', note: note('folders'), content: <Listed {...props} /> },
          ]}
        />
      </div>
    </Panel>
  )
}

/** Length of a list for the selected kinds. */
const totalOf = (totals: readonly ChangeTotals[], kinds: readonly KindOfChange[], list: DifferenceList): number =>
  totals.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).reduce((sum, totals) => sum + totals[list], 0)

/** Filters of the lists, with a way back to all differences. */
function Filters({ address, changeComparison }: Pick<DifferencesCardProps, 'address' | 'changeComparison'>) {
  const { kinds, owner, extension } = address
  return (
    <>
      {kinds.length > 0 && <Filter kinds={kinds} changeComparison={changeComparison} />}
      {owner !== '' && (
        <PartFilter title="Owner" value={owner} onClear={() => changeComparison({ owner: '' })} all="all owners" />
      )}
      {extension !== '' && (
        <PartFilter
          title="Extension"
          value={extension}
          onClear={() => changeComparison({ extension: '' })}
          all="all extensions"
        />
      )}
    </>
  )
}

type PartFilterProps = { title: string; value: string; all: string; onClear: () => void }

const PartFilter = ({ title, value, all, onClear }: PartFilterProps) => (
  <span className="inline wrap gap-4-8">
    {title}: {visible(value)}
    <Button variant="default" size="compact-xs" onClick={onClear}>
      Show {all}
    </Button>
  </span>
)

function Filter({ kinds, changeComparison }: { kinds: readonly KindOfChange[]; changeComparison: ChangeComparison }) {
  return (
    <span className="inline wrap gap-4-8">
      {kindsText(kinds)} only
      <Button variant="default" size="compact-xs" onClick={() => changeComparison({ kinds: [] })}>
        Show all kinds
      </Button>
    </span>
  )
}

function Listed(props: Omit<DifferencesCardProps, 'kinds'>) {
  const { address, changeComparison, found } = props
  return (
    <RemoteContent remote={found} skeleton={<Skeleton rows={8} isInset />}>
      {(found) => {
        if (found.elements.length > 0) return <DifferenceTable {...props} found={found} />
        return found.total === 0 ? (
          <NoneOfKind address={address} changeComparison={changeComparison} />
        ) : (
          <PastTheEnd changeComparison={changeComparison} />
        )
      }}
    </RemoteContent>
  )
}

function NoneOfKind({
  address: { list, kinds, owner, extension },
  changeComparison,
}: Pick<DifferencesCardProps, 'address' | 'changeComparison'>) {
  const other = list === 'files' ? 'folders' : 'files'
  const isFiltered = kinds.length > 0 || owner !== '' || extension !== ''
  const step = isFiltered ? (
    <Button onClick={() => changeComparison({ kinds: [], owner: '', extension: '' })}>
      {kinds.length > 0 ? 'Show all kinds' : 'Show all differences'}
    </Button>
  ) : (
    <Button onClick={() => changeComparison({ list: other })}>Show the {other}</Button>
  )
  return (
    <Notice icon={IconEqual} step={step}>
      {kinds.length > 0 ? `No ${list} under ${kindsText(kinds)}.` : `No ${list} differ.`}
    </Notice>
  )
}

const PastTheEnd = ({ changeComparison }: { changeComparison: ChangeComparison }) => (
  <Notice icon={IconEqual} step={<Button onClick={() => changeComparison({ page: 1 })}>First page</Button>}>
    This page is beyond the last difference.
  </Notice>
)
