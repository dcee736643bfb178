import { Button } from '@mantine/core'
import type { Row, SettingsTable } from '#client/parts/settings-table/declaration.ts'

/** Storages to scan, by their ids, or all of the kind. */
export type Scanned = number[] | 'all'

type Sources<T> = {
  nameOf: (row: T) => string
  /** The id of its storage, if it differs from the row's id. */
  storageOf?: (row: T) => number
  /** Noun for a row, as in "bucket". */
  one: string
  /** Data that remains after a deletion. */
  kept?: string
  scan: (scanned: Scanned) => void
}

/** Common parts of the tables of sources: each source can be scanned and deleted, and all can be scanned at once. */
export const sourceTable = <T extends Row>({ nameOf, storageOf = ({ id }) => id, one, kept, scan }: Sources<T>) =>
  ({
    isWide: true,
    deletion: {
      label: (row) => `Delete ${nameOf(row)}`,
      verb: `Delete ${one}`,
      question: () => (
        <>
          <p>
            This process will delete the configuration and the indexed data for the last index. It could take several
            minutes.{kept && ` ${kept}`}
          </p>
          <p>Older snapshots keep its data until they are deleted.</p>
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
    footer: () => <Button onClick={() => scan('all')}>Scan All</Button>,
  }) satisfies Partial<SettingsTable<T>>
