import { IconCloudPlus } from '@tabler/icons-react'
import { type Bucket, buckets } from '#events/sources/buckets.ts'
import { call } from '#client/app/call.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { idColumn, nameColumn, namedPriceBookColumn } from '../sourceColumns.tsx'
import { type EditorProps, SourceEditor } from '../SourceEditor.tsx'
import { SourceSection } from '../SourceSection.tsx'
import { none, type Scanned, sourceTable } from '../sourceTable.tsx'
import { bucketCredentialsTable } from './bucketCredentials.tsx'
import { unlessWarned } from './AddBucket.tsx'
import { bucketForm } from './bucketForm.ts'
import { ProviderIcon } from './ProviderIcon.tsx'
import { typeLabel } from './TypeSelect.tsx'
import classes from './Buckets.module.css'

/** The buckets that are set up, their scans, and the credentials for their providers. */
export const BucketSection = ({ onAdd }: { onAdd: () => void }) => (
  <SourceSection
    kind="bucket"
    title="Object Storage"
    folds="closed"
    heading="Buckets"
    table={(scan) => bucketTable(onAdd, scan)}
    credentials={bucketCredentialsTable}
  />
)

/** Edits or deletes a bucket. */
export const BucketEditor = (props: EditorProps) => <SourceEditor table={bucketTable()} {...props} />

const bucketTable = (add = none, scan: (scanned: Scanned) => void = none) =>
  sourceTable({
    nameOf: ({ description }: Bucket) => description,
    storageOf: ({ volumeSettingId }) => volumeSettingId,
    one: 'bucket',
    kept: 'Nothing is deleted at the provider.',
    scan,
    label: 'Buckets',
    rows: rowsOf(buckets.list, 'sources'),
    paging: { words: ['bucket', 'buckets'], key: 'numberOfElementsBuckets' },
    calls: {
      ...callsOf(buckets),
      update: ({ id }, body) => unlessWarned(() => call(buckets.update, { params: { id }, body })),
    },
    columns: [
      idColumn,
      nameColumn('description', ({ volumeSettingId }: Bucket) => volumeSettingId),
      { key: 'name', title: 'Bucket Name', sortable: true, wideOnly: true, cell: ({ name, path }) => name || path },
      { key: 'region', title: 'Region', sortable: true, wideOnly: true, cell: ({ region }) => region || '-' },
      {
        key: 'type',
        title: 'Type',
        sortable: true,
        wideOnly: true,
        cell: ({ type }) => (
          <span className={classes.type}>
            <ProviderIcon type={type} />
            {typeLabel(type)}
          </span>
        ),
      },
      namedPriceBookColumn,
    ],
    empty: { icon: IconCloudPlus, text: 'No bucket is set up yet. Add the first one, then scan it.' },
    adding: { label: 'Add object storage', open: add },
    form: bucketForm,
    opens: {
      at: 'dialog',
      title: (edited) => `Edit ${edited === 'new' ? '' : edited.description}`,
      saves: () => 'Save bucket',
    },
  })
