import { IconArchive } from '@tabler/icons-react'
import { type Archiware, archiwares } from '#events/sources/archiwares.ts'
import { BundleGuard } from '#client/app/shell/BundleGuard.tsx'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { agentColumn, idColumn, nameColumn, pathColumn, priceBookColumn } from '../sourceColumns.tsx'
import { type EditorProps, SourceEditor } from '../SourceEditor.tsx'
import { SourceSection } from '../SourceSection.tsx'
import { none, type Scanned, sourceTable } from '../sourceTable.tsx'
import { archiwareCredentialsTable } from './archiwareCredentials.ts'
import { archiwareForm } from './archiwareForm.ts'
import { Mappings } from './mappings/Mappings.tsx'

const title = 'Archiware P5 Integration'

/** The scanned indexes, the credentials for their servers, and the mappings of storage paths for P5 clients. */
export function ArchiwareSection({ onAdd }: { onAdd: () => void }) {
  const isLicensed = useLicence()
  if (isLicensed('archiwareP5'))
    return (
      <SourceSection
        kind="archiware"
        title={title}
        folds="closed"
        heading="Indexes"
        table={(scan) => archiwareTable(onAdd, scan)}
        credentials={archiwareCredentialsTable}
      >
        <Mappings />
      </SourceSection>
    )
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

/** Edits or deletes an index. */
export const ArchiwareEditor = (props: EditorProps) => <SourceEditor table={archiwareTable()} {...props} />

const archiwareTable = (add = none, scan: (scanned: Scanned) => void = none) =>
  sourceTable({
    nameOf: ({ name }: Archiware) => name,
    storageOf: ({ volumeSettingId }) => volumeSettingId,
    one: 'index',
    kept: 'Nothing is deleted in Archiware P5.',
    scan,
    label: 'Archiware P5 indexes',
    rows: rowsOf(archiwares.list, 'sources'),
    paging: { words: ['index', 'indexes'], key: 'numberOfElementsArchiwares' },
    calls: callsOf(archiwares),
    columns: [
      idColumn,
      nameColumn('name', ({ volumeSettingId }: Archiware) => volumeSettingId),
      pathColumn(),
      { key: 'indexId', title: 'Archiware Index', sortable: true, wideOnly: true, cell: ({ indexId }) => indexId },
      agentColumn,
      priceBookColumn,
    ],
    empty: { icon: IconArchive, text: 'No Archiware P5 index is set up yet. Add the first one, then scan it.' },
    adding: { label: 'Add Archiware P5 index', open: add },
    form: archiwareForm,
    opens: {
      at: 'dialog',
      title: (edited) => `Edit ${edited === 'new' ? '' : edited.name}`,
      saves: () => 'Save index',
    },
  })
