import { IconServerBolt } from '@tabler/icons-react'
import { type PowerScale, powerScales } from '#events/sources/powerScales.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { InDialog } from '#client/parts/settings-table/form.ts'
import { agentColumn, idColumn, ignoredColumn, nameColumn, pathColumn, priceBookColumn } from '../sourceColumns.tsx'
import { RowDialog } from '#client/parts/settings-table/TableDialogs.tsx'
import { type EditorProps, SourceEditor } from '../SourceEditor.tsx'
import { SourceSection } from '../SourceSection.tsx'
import { none, type Scanned, sourceTable } from '../sourceTable.tsx'
import { powerScaleCredentialsTable } from './powerScaleCredentials.ts'
import { clusterConnection, powerScaleForm } from './powerScaleForm.ts'

/** Folders of clusters that are scanned, and the credentials for the clusters. */
export const PowerScaleSection = () => (
  <SourceSection
    kind="powerScale"
    title="Dell PowerScale Storage (Beta)"
    folds="open"
    heading="Storages"
    table={powerScaleTable}
    credentials={powerScaleCredentialsTable}
  />
)

/** Edits or deletes a folder of a cluster. */
export const PowerScaleEditor = (props: EditorProps) => <SourceEditor table={powerScaleTable()} {...props} />

/** Sets up a folder of a cluster. */
export const AddPowerScale = ({ onClose }: { onClose: () => void }) => (
  <RowDialog {...forms} calls={calls} edited="new" onClose={onClose} onSaved={() => {}} />
)

const calls = callsOf(powerScales)
const forms = {
  form: powerScaleForm,
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add Dell PowerScale Storage' : `Edit ${edited.dataintellName}`),
    saves: () => 'Save storage',
  } satisfies InDialog<PowerScale>,
  connection: clusterConnection,
} as const

const powerScaleTable = (scan: (scanned: Scanned) => void = none) =>
  sourceTable({
    nameOf: ({ dataintellName }: PowerScale) => dataintellName,
    storageOf: ({ volumeSettingId }) => volumeSettingId,
    one: 'storage',
    scan,
    label: 'Dell PowerScale storages',
    rows: rowsOf(powerScales.list, 'sources'),
    paging: { words: ['storage', 'storages'], key: 'numberOfElementsPowerScales' },
    calls,
    columns: [
      idColumn,
      nameColumn('dataintellName', ({ volumeSettingId }: PowerScale) => volumeSettingId),
      pathColumn(({ host }: PowerScale) => host),
      agentColumn,
      priceBookColumn,
      ignoredColumn,
    ],
    empty: { icon: IconServerBolt, text: 'No Dell PowerScale storage is set up yet. Add the first one, then scan it.' },
    adding: { label: 'Add Dell PowerScale storage' },
    ...forms,
  })
