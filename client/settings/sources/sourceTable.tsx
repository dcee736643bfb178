import { Button } from '@mantine/core'
import { Dependents } from '#client/parts/deletion/Dependents.tsx'
import type { Row, SettingsTable } from '#client/parts/settings-table/declaration.ts'

/** For tables that only edit and delete. */
export const none = (): void => {}

/** Storages to scan, by their ids, or all of the kind. */
export type Scanned = number[] | 'all'

/** `storageOf` returns the id of the storage of a row. */
export type SourceTable<T extends Row, D, N> = SettingsTable<T, D, N> & { storageOf: (row: T) => number }

type Sources<T extends Row, D, N> = Omit<SettingsTable<T, D, N>, 'editing'> & {
  nameOf: (row: T) => string
  /** The id of its storage, if it differs from the row's id. */
  storageOf?: (row: T) => number
  /** Noun for a row, as in "bucket". */
  one: string
  /** Data that remains after a deletion. */
  kept?: string
  scan: (scanned: Scanned) => void
}

/** A table of sources: each source can be edited, scanned and deleted, and all can be scanned at once. */
export function sourceTable<T extends Row, D = unknown, N = unknown>(declared: Sources<T, D, N>): SourceTable<T, D, N> {
  const { nameOf, storageOf = ({ id }) => id, one, kept, scan, ...table } = declared
  return {
    storageOf,
    isWide: true,
    sort: { field: 'id', direction: 'asc' },
    editing: { label: (row) => `Edit ${nameOf(row)}` },
    deletion: {
      label: (row) => `Delete ${nameOf(row)}`,
      verb: `Delete ${one}`,
      question: (row) => (
        <>
          <p>
            This process will delete the configuration and the indexed data for the last index. It could take several
            minutes.{kept && ` ${kept}`}
          </p>
          <p>
            Older snapshots keep its data until they are deleted. Statements of projects keep its costs up to yesterday.
          </p>
          <Dependents kind="storage" id={storageOf(row)} />
        </>
      ),
      deleted: (row) => `${nameOf(row)} was deleted`,
      staysOnFailure: true,
    },
    actions: (row, { edit, remove }) => (
      <>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Scan ${nameOf(row)}`}
          onClick={() => scan([storageOf(row)])}
        >
          Scan
        </Button>
        {edit}
        {remove}
      </>
    ),
    // The section of all storages has the primary button, with the same name by specification.
    footer: () => (
      <Button variant="default" title={`Scan all: ${table.label}`} onClick={() => scan('all')}>
        Scan All
      </Button>
    ),
    ...table,
  }
}
