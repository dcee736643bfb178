import { NoPriceBook } from '#client/parts/cost/Cost.tsx'
import { LiveBadge } from '#client/parts/storages/LiveBadge.tsx'
import { StorageMarks } from '#client/parts/storages/StorageMarks.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { usePriceBooks } from '../price-books/usePriceBooks.ts'
import { useAgents } from './useAgents.ts'
import { RulesCell } from './RulesCell.tsx'
import classes from './Sources.module.css'

export const idColumn: Column<{ id: number }> = {
  key: 'id',
  title: 'Id',
  sortable: true,
  wideOnly: true,
  cell: ({ id }) => id,
}

/** Display name, and what the storage lacks. `key` is the field that the server sorts by. */
export const nameColumn = <K extends string, T extends Record<K, string>>(
  key: K,
  volumeIdOf: (row: T) => number,
): Column<T> => ({
  key,
  title: 'Name',
  sortable: true,
  cell: (row) => (
    <span className="inline wrap gap-4-8">
      <span className={classes.name}>{row[key]}</span>
      <LiveBadge volumeId={volumeIdOf(row)} />
      <StorageMarks volumeId={volumeIdOf(row)} />
    </span>
  ),
})

/** Scanned folder. `titleOf` returns the tooltip. */
export const pathColumn = <T extends { path: string }>(titleOf?: (row: T) => string): Column<T> => ({
  key: 'path',
  title: 'Path',
  sortable: true,
  wideOnly: true,
  cell: (row) => (
    <span className={classes.path} title={titleOf?.(row)}>
      <PathText path={row.path} />
    </span>
  ),
})

/** Name of an agent in a row that only has its id. */
function AgentName({ id }: { id: number }) {
  const { data } = useAgents()
  return data?.elements.find((agent) => agent.id === id)?.name ?? '-'
}

export const agentColumn: Column<{ serverId: number }> = {
  key: 'agent',
  title: 'Agent',
  wideOnly: true,
  cell: ({ serverId }) => <AgentName id={serverId} />,
}

/** Name of a price book in a row that only has its id. */
function PriceBookName({ id }: { id: number | undefined }) {
  const { data } = usePriceBooks()
  if (id === undefined) return <NoPriceBook />
  return data?.elements.find((book) => book.id === id)?.description ?? '-'
}

export const priceBookColumn: Column<{ storagePrice: { id: number } | null }> = {
  key: 'priceBook',
  title: 'Price Book',
  wideOnly: true,
  cell: ({ storagePrice }) => <PriceBookName id={storagePrice?.id} />,
}

/** The same in a row that also has the name, so that the server can sort by it. */
export const namedPriceBookColumn: Column<{ storagePrice: { description: string } | null }> = {
  key: 'storagePrice.description',
  title: 'Price Book',
  sortable: true,
  wideOnly: true,
  cell: ({ storagePrice }) => storagePrice?.description ?? <NoPriceBook />,
}

export const ignoredColumn: Column<{ volumeIgnoreRules: { path: string }[] }> = {
  key: 'ignored',
  title: 'Ignored Paths',
  wideOnly: true,
  room: 'wide',
  cell: ({ volumeIgnoreRules }) => <RulesCell rules={volumeIgnoreRules} />,
}
