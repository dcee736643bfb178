import { type ReactNode, useState } from 'react'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import type { ScanKind } from '#client/parts/scan-dialog/useSources.ts'
import type { Row, SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import type { Scanned } from './sourceTable.tsx'

type SourceSectionProps<T extends Row, D, N, C extends Row, CD, CN> = {
  kind: ScanKind
  title: string
  folds: 'open' | 'closed'
  /** Heading of the table of sources. */
  heading: string
  /** Table of sources. `scan` opens the dialog that starts scans. */
  table: (scan: (scanned: Scanned) => void) => Declaration<T, D, N>
  credentials: Declaration<C, CD, CN>
  /** More tables. */
  children?: ReactNode
}

/** Settings of a kind of source: its sources, their scans, and the credentials. */
export function SourceSection<T extends Row, D, N, C extends Row, CD, CN>(
  props: SourceSectionProps<T, D, N, C, CD, CN>,
) {
  const { kind, title, folds, heading, table, credentials, children } = props
  const [scanned, scan] = useState<Scanned>()
  return (
    <>
      <SettingsSection title={title} folds={folds} table={table(scan)} intro={<TableTitle>{heading}</TableTitle>}>
        <TableTitle>Credentials</TableTitle>
        <SettingsTable table={credentials} />
        {children}
      </SettingsSection>
      <ScanDialog kind={kind} opened={scanned !== undefined} selected={scanned ?? []} onClose={() => scan(undefined)} />
    </>
  )
}
