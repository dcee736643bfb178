import { IconReceipt } from '@tabler/icons-react'
import { costTexts } from '#events/money.ts'
import { type Statement, type StatementLine, statements } from '#events/projects/statements.ts'
import { incompleteText, missingDaysText, monthText, statementDays } from '#events/projects/statementWords.ts'
import { useRemote } from '#client/app/remote.ts'
import { storageClassText } from '#client/parts/statistics/statistics.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { momentText } from '#client/ui/text/moment.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { costsText } from './statementText.ts'

/** Statement of a month by storage, storage class and currency. */
export function StatementCard({ id, month }: { id: number; month: string }) {
  const statement = useRemote(statements.find, { params: { id, month } }, 'projects', 'snapshots', 'priceBooks')
  const closedAt = statement.data?.closedAt
  return (
    <Card title={monthText(month)} note={closedAt && `Closed ${momentText(closedAt)}`} remote={statement}>
      {(totals) => <Lines statement={totals} />}
    </Card>
  )
}

function Lines({ statement }: { statement: Statement }) {
  const { month, lines, averageBytes, costs, isComplete } = statement
  const missing = missingDaysText(statement)
  return (
    <>
      <p className="inset-8">
        <strong className="figure">{costsText(costs)}</strong> for an average of <Size bytes={averageBytes} />,{' '}
        {statementDays(statement)}
        {missing && <span className="muted block">{missing}</span>}
        {!isComplete && <span className="muted block">{incompleteText(statement)}</span>}
      </p>
      <DataTable
        label={`Statement of ${monthText(month)}`}
        columns={columnsOf(lines)}
        rows={lines}
        rowKey={({ volumeId, storageClass, currencySymbol }) => `${volumeId} ${currencySymbol} ${storageClass}`}
        empty={<Notice icon={IconReceipt}>No data for this month.</Notice>}
      />
    </>
  )
}

const classColumn: Column<StatementLine> = {
  key: 'storageClass',
  title: 'Class',
  cell: ({ storageClass }) => (storageClass === null ? '-' : storageClassText(storageClass)),
}

/** The column for storage classes is shown if any storage has them. */
function columnsOf(lines: readonly StatementLine[]): Column<StatementLine>[] {
  const texts = costTexts(lines)
  return columnsWith(lines, new Map(lines.map((line, at) => [line, texts[at]])))
}

const columnsWith = (
  lines: readonly StatementLine[],
  costs: ReadonlyMap<StatementLine, string | undefined>,
): Column<StatementLine>[] => [
  {
    key: 'volumeName',
    title: 'Storage',
    grows: true,
    cell: ({ volumeName }) => <span title={volumeName}>{volumeName}</span>,
  },
  ...(lines.some(({ storageClass }) => storageClass !== null) ? [classColumn] : []),
  {
    key: 'averageBytes',
    title: 'Daily average',
    align: 'right',
    cell: ({ averageBytes }) => <Size bytes={averageBytes} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'right',
    cell: (line) => costs.get(line) ?? <span title="No price book">-</span>,
  },
]
