import { Button } from '@mantine/core'
import type { Row, SettingsTable } from '#client/parts/settings-table/declaration.ts'

/** What is scanned: storages by their ids, or all of the kind. */
export type Scanned = number[] | 'all'

type Sources<T> = {
  nameOf: (row: T) => string
  /** The id of its storage, where that is not its own. */
  storageOf?: (row: T) => number
  /** What one is called: "bucket". */
  one: string
  /** What its deletion leaves alone. */
  kept?: string
  scan: (scanned: Scanned) => void
}

/** What the tables of sources have alike, of whatever kind: each can be scanned and deleted, and all can be scanned at once. */
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
