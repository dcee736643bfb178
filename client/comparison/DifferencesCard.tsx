import { Button } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import type { ChangeTotals, KindOfChange } from '#events/comparison.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { ShownToggles } from '../ui/ShownToggles.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { countText } from '../ui/text/count.ts'
import type { ComparedPlace, ComparisonAddress, DifferenceList } from './comparisonAddress.ts'
import { DifferenceTable } from './DifferenceTable.tsx'
import { kindsText } from './kindWords.ts'
import type { Compared } from './useCompared.ts'
import type { Go } from './useComparisonAddress.ts'
import classes from './Differences.module.css'

type DifferencesCardProps = {
  place: ComparedPlace
  previousDate: string
  address: ComparisonAddress
  go: Go
  found: Compared['found']
  kinds: readonly ChangeTotals[] | undefined
}

/** The files, or the folders, that differ. */
export function DifferencesCard({ kinds, ...props }: DifferencesCardProps) {
  const { address, go, found } = props
  const note = (list: DifferenceList) => kinds && countText(totalOf(kinds, address.kinds, list))
  return (
    <Panel
      title="What differs"
      note={address.kinds.length > 0 && <Filter kinds={address.kinds} go={go} />}
      actions={<ShownToggles />}
      busy={found.loading}
      again={found.loading && found.data !== undefined}
    >
      <div className={classes.lists}>
        <Tabs
          label="What differs"
          shown={address.list}
          onShow={(list) => go({ list })}
          tabs={[
            { key: 'files', title: 'Files', note: note('files'), content: <Listed {...props} /> },
            { key: 'folders', title: 'Folders', note: note('folders'), content: <Listed {...props} /> },
          ]}
        />
      </div>
    </Panel>
  )
}

/** How many a list has, of the kinds that are asked for. */
const totalOf = (totals: readonly ChangeTotals[], kinds: readonly KindOfChange[], list: DifferenceList): number =>
  totals.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).reduce((sum, totals) => sum + totals[list], 0)

function Filter({ kinds, go }: { kinds: readonly KindOfChange[]; go: Go }) {
  return (
    <span className={classes.filter}>
      {kindsText(kinds)} only
      <Button variant="default" size="compact-xs" onClick={() => go({ kinds: [] })}>
        Show all kinds
      </Button>
    </span>
  )
}

function Listed(props: Omit<DifferencesCardProps, 'kinds'>) {
  const { address, go, found } = props
  return (
    <Loaded remote={found} skeleton={<Skeleton rows={8} isInset />}>
      {(found) => {
        if (found.elements.length > 0) return <DifferenceTable {...props} found={found} />
        return found.total === 0 ? <NoneOfKind address={address} go={go} /> : <PastTheEnd go={go} />
      }}
    </Loaded>
  )
}

function NoneOfKind({ address: { list, kinds }, go }: Pick<DifferencesCardProps, 'address' | 'go'>) {
  const other = list === 'files' ? 'folders' : 'files'
  const step =
    kinds.length > 0 ? (
      <Button onClick={() => go({ kinds: [] })}>Show all kinds</Button>
    ) : (
      <Button onClick={() => go({ list: other })}>Show the {other}</Button>
    )
  return (
    <Notice icon={IconEqual} step={step}>
      {kinds.length > 0 ? `No ${list} under ${kindsText(kinds)}.` : `No ${list} differ.`}
    </Notice>
  )
}

const PastTheEnd = ({ go }: { go: Go }) => (
  <Notice icon={IconEqual} step={<Button onClick={() => go({ page: 1 })}>First page</Button>}>
    Less differs than that: this page is empty.
  </Notice>
)
