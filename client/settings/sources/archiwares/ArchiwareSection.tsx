import { IconArchive } from '@tabler/icons-react'
import { useState } from 'react'
import { type Archiware, archiwares } from '#events/sources/archiwares.ts'
import { BundleGuard } from '#client/app/shell/BundleGuard.tsx'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { AgentName } from '../AgentSelect.tsx'
import { PriceBookName } from '../PriceBookName.tsx'
import { type Scanned, sourceTable } from '../sourceTable.tsx'
import { archiwareCredentialsTable } from './archiwareCredentials.ts'
import { EditArchiware } from './EditArchiware.tsx'
import { Mappings } from './mappings/Mappings.tsx'
import shared from '../Sources.module.css'

const title = 'Archiware P5 Integration'

/** The scanned indexes, the credentials for their servers, and the mappings of storage paths for P5 clients. */
export function ArchiwareSection({ onAdd }: { onAdd: () => void }) {
  const isLicensed = useLicence()
  if (isLicensed('archiwareP5')) return <Content onAdd={onAdd} />
  return (
    <BundleGuard bundle="archiwareP5">
      <Panel title={title}>
        <TableTitle>Indexes</TableTitle>
        <TableTitle>Credentials</TableTitle>
        <TableTitle>Storage Path Configurations</TableTitle>
      </Panel>
    </BundleGuard>
  )
}

function Content({ onAdd }: { onAdd: () => void }) {
  const [scanned, scan] = useState<Scanned>()
  return (
    <>
      <SettingsSection
        title={title}
        folds="closed"
        table={archiwareTable({ add: onAdd, scan })}
        intro={<TableTitle>Indexes</TableTitle>}
      >
        <TableTitle>Credentials</TableTitle>
        <SettingsTable table={archiwareCredentialsTable} />
        <Mappings />
      </SettingsSection>
      <ScanDialog
        kind="archiware"
        opened={scanned !== undefined}
        selected={scanned ?? []}
        onClose={() => scan(undefined)}
      />
    </>
  )
}

type Actions = { add: () => void; scan: (scanned: Scanned) => void }

const archiwareTable = ({ add, scan }: Actions): Declaration<Archiware> => ({
  ...sourceTable<Archiware>({
    nameOf: ({ name }) => name,
    storageOf: ({ volumeSettingId }) => volumeSettingId,
    one: 'index',
    kept: 'Nothing is deleted in Archiware P5.',
    scan,
  }),
  label: 'Archiware P5 indexes',
  rows: rowsOf(archiwares.list, 'sources'),
  sort: { field: 'id', direction: 'asc' },
  paging: { words: ['index', 'indexes'], key: 'numberOfElementsArchiwares' },
  calls: { remove: callsOf(archiwares).remove },
  columns: [
    { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
    { key: 'name', title: 'Name', sortable: true, cell: ({ name }) => <span className={shared.name}>{name}</span> },
    {
      key: 'path',
      title: 'Path',
      sortable: true,
      wideOnly: true,
      cell: ({ path }) => (
        <span className={shared.path}>
          <PathText path={path} />
        </span>
      ),
    },
    { key: 'indexId', title: 'Archiware Index', sortable: true, wideOnly: true, cell: ({ indexId }) => indexId },
    { key: 'agent', title: 'Agent', wideOnly: true, cell: ({ serverId }) => <AgentName id={serverId} /> },
    {
      key: 'priceBook',
      title: 'Price Book',
      wideOnly: true,
      cell: ({ storagePrice }) => <PriceBookName id={storagePrice?.id} />,
    },
  ],
  empty: { icon: IconArchive, text: 'No Archiware P5 index is set up yet. Add the first one, then scan it.' },
  adding: { label: 'Add Archiware P5 index', open: add },
  editing: { label: ({ name }) => `Edit ${name}`, Dialog: EditArchiware },
})
