import { IconCloudPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Bucket, buckets } from '#events/sources/buckets.ts'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { NoPriceBook } from '#client/parts/cost/Cost.tsx'
import { type Scanned, sourceTable } from '../sourceTable.tsx'
import { bucketCredentialsTable } from './bucketCredentials.tsx'
import { typeLabel } from './bucketFields.ts'
import { EditBucket } from './EditBucket.tsx'
import { ProviderIcon } from './ProviderIcon.tsx'
import classes from './Buckets.module.css'

/** The buckets that are set up, their scans, and the credentials for their providers. */
export function BucketSection({ onAdd }: { onAdd: () => void }) {
  const [scanned, scan] = useState<Scanned>()
  return (
    <>
      <SettingsSection
        title="Object Storage"
        folds="open"
        table={bucketTable({ add: onAdd, scan })}
        intro={<TableTitle>Buckets</TableTitle>}
      >
        <TableTitle>Credentials</TableTitle>
        <SettingsTable table={bucketCredentialsTable} />
      </SettingsSection>
      <ScanDialog
        kind="bucket"
        opened={scanned !== undefined}
        selected={scanned ?? []}
        onClose={() => scan(undefined)}
      />
    </>
  )
}

type Actions = { add: () => void; scan: (scanned: Scanned) => void }

const bucketTable = ({ add, scan }: Actions): Declaration<Bucket> => ({
  ...sourceTable<Bucket>({
    nameOf: ({ description }) => description,
    storageOf: ({ volumeSettingId }) => volumeSettingId,
    one: 'bucket',
    kept: 'Nothing is deleted at the provider.',
    scan,
  }),
  label: 'Buckets',
  rows: rowsOf(buckets.list, 'sources'),
  sort: { field: 'id', direction: 'asc' },
  paging: { words: ['bucket', 'buckets'], key: 'numberOfElementsBuckets' },
  calls: { remove: callsOf(buckets).remove },
  columns: [
    { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
    {
      key: 'description',
      title: 'Name',
      sortable: true,
      cell: ({ description }) => <span className={classes.name}>{description}</span>,
    },
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
    {
      key: 'storagePrice.description',
      title: 'Price Book',
      sortable: true,
      wideOnly: true,
      cell: ({ storagePrice }) => storagePrice?.description ?? <NoPriceBook />,
    },
  ],
  empty: { icon: IconCloudPlus, text: 'No bucket is set up yet. Add the first one, then scan it.' },
  adding: { label: 'Add object storage', open: add },
  editing: { label: ({ description }) => `Edit ${description}`, Dialog: EditBucket },
})
