import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { JobRow } from '#events/jobs/calls.ts'
import type { JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import { PagedTable } from '#client/parts/pagination/PagedTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { useIsBelow } from '#client/ui/useIsBelow.ts'
import { jobColumns, narrowJobColumns } from './jobColumns.tsx'
import type { JobsAddress } from './jobsAddress.ts'
import { choosePageSize } from './pageSize.state.ts'
import classes from '#client/jobs/Jobs.module.css'

type JobsTableProps = {
  rows: JobRow[]
  total: number
  size: number
  address: JobsAddress
  go: (change: Partial<JobsAddress>) => void
  onAction: JobActionHandler
  onScrolled: (isScrolled: boolean) => void
}

/** A page of jobs, updated live. */
export function JobsTable({ rows, total, size, address, go, onAction, onScrolled }: JobsTableProps) {
  const isNarrow = useIsBelow(768)
  const columns = useMemo(() => (isNarrow ? narrowJobColumns : jobColumns(onAction)), [isNarrow, onAction])
  const { page, sort } = address
  return (
    <div className={classes.table}>
      <PagedTable
        label="Jobs"
        columns={columns}
        rows={rows}
        rowKey={idOf}
        stateOf={statusOf}
        selected={Number(address.id)}
        sort={sort}
        onSort={(sort) => go({ sort })}
        onOpen={({ id }) => go({ id: String(id) })}
        onScrolled={onScrolled}
        nouns={['job', 'jobs']}
        page={page}
        size={size}
        total={total}
        onPage={(page) => go({ page })}
        onSize={(size) => {
          choosePageSize(size)
          go({ page: 1 })
        }}
      />
    </div>
  )
}

const idOf = ({ id }: JobRow) => id
const statusOf = ({ status }: JobRow) => status

/** Notice that new rows are held back, with a button that shows them. */
export function WaitingRows({ arrived, onShow }: { arrived: number; onShow: () => void }) {
  return (
    <div className={classes.waiting}>
      <Button
        size="compact-sm"
        radius="xl"
        leftSection={<IconArrowUp size={14} stroke={1.5} aria-hidden />}
        onClick={onShow}
      >
        {arrived > 0 ? counted(arrived, 'new job') : 'Show new order'}
      </Button>
    </div>
  )
}
