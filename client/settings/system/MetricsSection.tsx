import { IconFolderPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type MetricFolder, maxMetricFolders, metricFolders } from '#events/overview/metrics.ts'
import { call } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { type ChosenFolder, isAmong, ManualFolder, toggled } from '#client/parts/folder-picker/ManualFolder.tsx'
import { RemoveAction, RowActions } from '#client/ui/table/RowActions.tsx'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { countText } from '#client/ui/text/count.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'

/** Folders whose bytes are metrics, next to those of storages, projects and reports. */
export function MetricsSection() {
  const links = useLinks()
  return (
    <Panel title="Metrics" folds="closed">
      <p className="inset muted">
        Prometheus reads storages, projects and reports at /actuator/prometheus, with an API token that has the role
        Metrics. Add folders to monitor their size, too.{' '}
        <Link href={links.help({ page: 'metrics' })}>How to set it up</Link>
      </p>
      <Folders />
    </Panel>
  )
}

type Row = MetricFolder & ChosenFolder

function Folders() {
  const list = useRemote(metricFolders.list, {}, 'metrics', 'snapshots')
  const [busy, choose] = useBusy(async (folders: readonly ChosenFolder[], done: string) => {
    const body = { folders: folders.map(({ volumeId: storageId, path }) => ({ storageId, path })) }
    await call(metricFolders.choose, { body })
    list.retry()
    toast({ kind: 'success', message: done })
  })
  return (
    <RemoteContent remote={list}>
      {(chosen) => {
        const rows = chosen.map((one): Row => ({ ...one, volumeId: one.storageId, volumeName: one.storageName }))
        const toggle = (folder: ChosenFolder) =>
          !busy && choose(toggled(rows, folder), `${folder.path} was ${isAmong(rows, folder) ? 'removed' : 'added'}`)
        return (
          <>
            <FolderTable rows={rows} onRemove={toggle} />
            <div className="padded narrow">
              {rows.length < maxMetricFolders ? (
                <ManualFolder folders={rows} onToggle={toggle} disabled={busy} />
              ) : (
                <p className="muted">
                  {countText(maxMetricFolders)} folders are the maximum. Remove one to add another.
                </p>
              )}
            </div>
          </>
        )
      }}
    </RemoteContent>
  )
}

type TableProps = { rows: Row[]; onRemove: (folder: ChosenFolder) => void }

function FolderTable({ rows, onRemove }: TableProps) {
  const [{ page, size }, turn] = useState({ page: 1, size: 10 })
  const shown = Math.min(page, Math.max(1, Math.ceil(rows.length / size)))
  return (
    <DataTable
      label="Folders in metrics"
      columns={folderColumns(onRemove)}
      rows={rows.slice((shown - 1) * size, shown * size)}
      rowKey={({ storageId, path }) => `${storageId}:${path}`}
      empty={<Notice icon={IconFolderPlus}>No folders yet. Choose a storage and a path to add one.</Notice>}
      footer={
        rows.length > 10 && (
          <Pagination
            nouns={['folder', 'folders']}
            page={shown}
            size={size}
            total={rows.length}
            onPage={(page) => turn({ page, size })}
            onSize={(size) => turn({ page: 1, size })}
          />
        )
      }
    />
  )
}

const folderColumns = (onRemove: TableProps['onRemove']): Column<Row>[] => [
  { key: 'storageName', title: 'Storage', cell: ({ storageName }) => storageName },
  { key: 'path', title: 'Folder', grows: true, cell: ({ path }) => <PathText path={path} /> },
  {
    key: 'bytes',
    title: 'Size',
    align: 'right',
    cell: ({ bytes }) => (bytes === null ? <span title="Not in the newest snapshot">-</span> : <Size bytes={bytes} />),
  },
  {
    key: 'actions',
    title: 'Action',
    align: 'right',
    cell: (folder) => (
      <RowActions>
        <RemoveAction label={`Remove ${folder.path} of ${folder.volumeName}`} onClick={() => onRemove(folder)} />
      </RowActions>
    ),
  },
]
