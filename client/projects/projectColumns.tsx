import { IconFolderSymlink } from '@tabler/icons-react'
import { type CostInterval, costIntervals } from '#events/price-books.ts'
import type { Costs, ListedProject } from '#events/projects/calls.ts'
import { NoPriceBook } from '#client/parts/cost/Cost.tsx'
import { perInterval } from '#client/ui/text/money.ts'
import { changeWords } from '#client/ui/text/change.ts'
import { counted, countText } from '#client/ui/text/count.ts'
import type { Column } from '#client/ui/table/column.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { projectLevel } from '#client/ui/values/usage.ts'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import { amountsText } from './costs.ts'

const figure = { align: 'right', sortable: true } as const

const figureColumns: Column<ListedProject>[] = [
  {
    key: 'sizeOfFiles',
    title: 'Size',
    ...figure,
    width: '6.5rem',
    cell: ({ sizeOfFiles }) => <Size bytes={sizeOfFiles} />,
  },
  {
    key: 'allocatedSize',
    title: 'Allocated',
    ...figure,
    width: '6.5rem',
    room: 'small',
    cell: ({ allocatedSize }) => <Size bytes={allocatedSize} />,
  },
  {
    key: 'usage',
    title: 'Usage',
    align: 'right',
    width: '6.5rem',
    cell: ({ sizeOfFiles, allocatedSize }) => {
      const share = sizeOfFiles / allocatedSize
      return <UsagePercent share={share} level={projectLevel(share)} />
    },
  },
  {
    key: 'numberOfFiles',
    title: 'Files',
    ...figure,
    width: '7rem',
    room: 'small',
    cell: ({ numberOfFiles }) => countText(numberOfFiles),
  },
]

const momentColumns: Column<ListedProject>[] = [
  {
    key: 'lastModifiedDate',
    title: 'Last modified',
    sortable: true,
    width: '9rem',
    room: 'medium',
    cell: ({ lastModifiedDate }) => <Moment at={lastModifiedDate} />,
  },
  {
    key: 'lastAccessDate',
    title: 'Last access',
    sortable: true,
    width: '9rem',
    room: 'widest',
    cell: ({ lastAccessDate }) => <Moment at={lastAccessDate} />,
  },
]

/** Columns of the list, with costs per interval, and the change of a project in bytes; undefined if it is unknown. */
export const projectColumns = (
  interval: CostInterval,
  changeOf: (project: ListedProject) => number | undefined,
): Column<ListedProject>[] => [
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    wraps: true,
    cell: ({ name, loadingReport, movedFolders }) => (
      <>
        <span className="strong" title={name}>
          {name}
        </span>
        {loadingReport && <span className="muted small"> still counting</span>}
        {movedFolders > 0 && (
          <Chip icon={IconFolderSymlink} tone="warn" title="Open the project to see their new paths">
            {`${counted(movedFolders, 'folder')} moved`}
          </Chip>
        )}
      </>
    ),
  },
  {
    key: 'description',
    title: 'Description',
    sortable: true,
    room: 'wide',
    cell: ({ description }) => <span title={description}>{description || '-'}</span>,
  },
  ...figureColumns,
  {
    key: 'change',
    title: 'Last 30 days',
    align: 'right',
    width: '7.5rem',
    room: 'small',
    cell: (project) => <LastDays change={changeOf(project)} />,
  },
  ...momentColumns,
  {
    key: 'cost',
    title: `Cost ${perInterval[interval]}`,
    align: 'right',
    width: '9rem',
    room: 'medium',
    cell: ({ costs }) =>
      costs.length === 0 ? <NoPriceBook /> : <Amounts text={amountsText(amountsOf(costs, interval))} />,
  },
]

function LastDays({ change }: { change: number | undefined }) {
  const base = useSizeBase()
  if (change === undefined) return <span title="Unknown without two snapshots in which its folders are counted">-</span>
  return change === 0 ? <span className="muted">No change</span> : changeWords(change, base)
}

const Amounts = ({ text }: { text: string }) => <span title={text}>{text}</span>

const amountsOf = (costs: Costs, interval: CostInterval) =>
  new Map(costs.map(({ currencySymbol, perYear }) => [currencySymbol, perYear / costIntervals[interval]]))
