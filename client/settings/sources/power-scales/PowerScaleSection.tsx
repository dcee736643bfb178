import { IconServerBolt } from '@tabler/icons-react'
import { useState } from 'react'
import { type PowerScale, powerScales } from '#events/sources/powerScales.ts'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { AgentName } from '../AgentSelect.tsx'
import { PriceBookName } from '../PriceBookName.tsx'
import { RulesCell } from '../RulesCell.tsx'
import { type Scanned, sourceTable } from '../sourceTable.tsx'
import { powerScaleCredentialsTable } from './powerScaleCredentials.ts'
import { PowerScaleDialog } from './PowerScaleDialog.tsx'
import shared from '../Sources.module.css'

/** Folders of clusters that are scanned, and the credentials for the clusters. */
export function PowerScaleSection() {
  const [scanned, scan] = useState<Scanned>()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <SettingsSection
        title="Dell PowerScale Storage (Beta)"
        folds="open"
        table={powerScaleTable({ add: () => setAdding(true), scan })}
        intro={<TableTitle>Storages</TableTitle>}
      >
        <TableTitle>Credentials</TableTitle>
        <SettingsTable table={powerScaleCredentialsTable} />
      </SettingsSection>
      {/* The server announces the new row. */}
      <PowerScaleDialog edited={isAdding ? 'new' : undefined} onClose={() => setAdding(false)} onSaved={() => {}} />
      <ScanDialog
        kind="powerScale"
        opened={scanned !== undefined}
        selected={scanned ?? []}
        onClose={() => scan(undefined)}
      />
    </>
  )
}

type Actions = { add: () => void; scan: (scanned: Scanned) => void }

const powerScaleTable = ({ add, scan }: Actions): Declaration<PowerScale> => ({
  ...sourceTable<PowerScale>({
    nameOf: ({ dataintellName }) => dataintellName,
    storageOf: ({ volumeSettingId }) => volumeSettingId,
    one: 'storage',
    scan,
  }),
  label: 'Dell PowerScale storages',
  rows: rowsOf(powerScales.list, 'sources'),
  sort: { field: 'id', direction: 'asc' },
  paging: { words: ['storage', 'storages'], key: 'numberOfElementsPowerScales' },
  calls: { remove: callsOf(powerScales).remove },
  columns: [
    { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
    {
      key: 'dataintellName',
      title: 'Name',
      sortable: true,
      cell: ({ dataintellName }) => <span className={shared.name}>{dataintellName}</span>,
    },
    {
      key: 'path',
      title: 'Path',
      sortable: true,
      wideOnly: true,
      cell: ({ host, path }) => (
        <span className={shared.path} title={host}>
          <PathText path={path} />
        </span>
      ),
    },
    { key: 'agent', title: 'Agent', wideOnly: true, cell: ({ serverId }) => <AgentName id={serverId} /> },
    {
      key: 'priceBook',
      title: 'Price Book',
      wideOnly: true,
      cell: ({ storagePrice }) => <PriceBookName id={storagePrice?.id} />,
    },
    {
      key: 'ignored',
      title: 'Ignored Paths',
      wideOnly: true,
      cell: ({ volumeIgnoreRules }) => <RulesCell rules={volumeIgnoreRules} />,
    },
  ],
  empty: { icon: IconServerBolt, text: 'No Dell PowerScale storage is set up yet. Add the first one, then scan it.' },
  adding: { label: 'Add Dell PowerScale storage', open: add },
  editing: { label: ({ dataintellName }) => `Edit ${dataintellName}`, Dialog: PowerScaleDialog },
})
