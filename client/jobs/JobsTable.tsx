import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { JobRow } from '#events/job-calls.ts'
import { Pager } from '../ui/Pager.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { counted } from '../ui/text/count.ts'
import type { JobDeeds } from './JobActions.tsx'
import { jobColumns } from './jobColumns.tsx'
import type { JobsAddress } from './jobsAddress.ts'
import { choosePageSize, pageSizes } from './pageSize.state.ts'
import classes from './Jobs.module.css'

type JobsTableProps = {
  rows: JobRow[]
  total: number
  size: number
  address: JobsAddress
  go: (change: Partial<JobsAddress>) => void
  deeds: JobDeeds
  onScrolled: (isScrolled: boolean) => void
}

/** A page of the jobs, as they are at this moment. */
export function JobsTable({ rows, total, size, address, go, deeds, onScrolled }: JobsTableProps) {
  const columns = useMemo(() => jobColumns(deeds), [deeds])
  const { page, sort } = address
  return (
    <div className={classes.table}>
      <VirtualTable
        label="Jobs"
        columns={columns}
        rows={rows}
        rowKey={idOf}
        stateOf={statusOf}
        selected={Number(address.id)}
        before={(page - 1) * size}
        total={total}
        sort={sort}
        onSort={(sort) => go({ sort })}
        onOpen={({ id }) => go({ id: String(id) })}
        onScrolled={onScrolled}
      />
      <Pager
        many="jobs"
        page={page}
        size={size}
        total={total}
        sizes={pageSizes}
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

/** Says that rows wait, because someone works in the list, and lets them in. */
export function WaitingRows({ arrived, onShow }: { arrived: number; onShow: () => void }) {
  return (
    <div className={classes.waiting}>
      <Button
        size="compact-sm"
        radius="xl"
        leftSection={<IconArrowUp size={14} stroke={1.5} aria-hidden />}
        onClick={onShow}
      >
        {arrived > 0 ? counted(arrived, 'new job') : 'Rows in a new order'}
      </Button>
    </div>
  )
}
