import { Button } from '@mantine/core'
import { IconFileSpreadsheet, IconFileTypeCsv, IconFileTypePdf, IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { type StatementTotals, statements } from '#events/projects/statements.ts'
import { monthText } from '#events/projects/statementWords.ts'
import { download } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { saveFile } from '#client/app/saveFile.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useBusy } from '#client/app/useBusy.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { RecipientsCard } from './RecipientsCard.tsx'
import { StatementCard } from './StatementCard.tsx'
import { costsText, daysText, monthState } from './statementText.ts'
import classes from './Statements.module.css'

/** Monthly statements of a project. */
export function StatementsTab({ id }: { id: number }) {
  const list = useRemote(statements.list, { params: { id } }, 'projects', 'snapshots', 'priceBooks')
  const [chosen, choose] = useState<string>()
  const newest = list.data?.[0]?.month
  const month = list.data?.some((one) => one.month === chosen) ? chosen : newest
  return (
    <div className="stack in-order gap-12">
      <Card title="Statements" note={list.data && counted(list.data.length, 'month')} remote={list}>
        {(months) => (
          <DataTable
            label="Statements"
            columns={columnsOf({ id, newest, shown: month, choose })}
            rows={months}
            rowKey={({ month }) => month}
            empty={<Notice icon={IconReceipt}>No statements yet.</Notice>}
          />
        )}
      </Card>
      {month !== undefined && <StatementCard key={month} id={id} month={month} />}
      <RoleGuard needs="projects.edit">
        <RecipientsCard id={id} />
      </RoleGuard>
    </div>
  )
}

type Columns = {
  id: number
  newest: string | undefined
  shown: string | undefined
  choose: (month: string) => void
}

const columnsOf = ({ id, newest, shown, choose }: Columns): Column<StatementTotals>[] => [
  {
    key: 'month',
    title: 'Month',
    cell: ({ month }) => (
      <button type="button" className={classes.month} aria-pressed={month === shown} onClick={() => choose(month)}>
        {monthText(month)}
      </button>
    ),
  },
  {
    key: 'state',
    title: 'State',
    wideOnly: true,
    cell: (totals) => monthState(totals, totals.month === newest),
  },
  { key: 'days', title: 'Days', wideOnly: true, cell: daysText },
  {
    key: 'averageBytes',
    title: 'Daily average',
    align: 'right',
    cell: ({ averageBytes }) => <Size bytes={averageBytes} />,
  },
  { key: 'costs', title: 'Cost', align: 'right', cell: ({ costs }) => costsText(costs) },
  {
    key: 'download',
    title: 'Download',
    align: 'right',
    wideOnly: true,
    cell: ({ month }) => <Downloads id={id} month={month} />,
  },
]

const icon = { size: 16, stroke: 1.5 }

function Downloads({ id, month }: { id: number; month: string }) {
  const [busy, save] = useBusy(async (kind: 'csv' | 'xlsx' | 'pdf') =>
    saveFile(await download(statements[kind], { params: { id, month } })),
  )
  const look = { variant: 'default', size: 'compact-sm', disabled: busy } as const
  return (
    <span className={classes.downloads}>
      <Button
        {...look}
        aria-label={`${monthText(month)} as XLSX`}
        leftSection={<IconFileSpreadsheet {...icon} />}
        onClick={() => save('xlsx')}
      >
        XLSX
      </Button>
      <Button
        {...look}
        aria-label={`${monthText(month)} as CSV`}
        leftSection={<IconFileTypeCsv {...icon} />}
        onClick={() => save('csv')}
      >
        CSV
      </Button>
      <Button
        {...look}
        aria-label={`${monthText(month)} as PDF`}
        leftSection={<IconFileTypePdf {...icon} />}
        onClick={() => save('pdf')}
      >
        PDF
      </Button>
    </span>
  )
}
