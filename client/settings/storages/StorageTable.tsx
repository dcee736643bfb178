import { Button } from '@mantine/core'
import { IconDatabasePlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { withSameDisk } from '#events/capacity.ts'
import { type StorageOverview, storageOverview } from '#events/overview/storageOverview.ts'
import { sourceOfType } from '#events/sources/kinds.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useQuery } from '#client/app/address.ts'
import { type StorageField, useLinks } from '#client/app/links.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { ScanDialog } from '#client/parts/scan-dialog/ScanDialog.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import type { TileKey } from '../sources/AddStorage.tsx'
import { type RowHandlers, storageColumns, type StorageRow } from './storageColumns.tsx'
import { sortStorages } from './storageOrder.ts'
import { orderStorages, storagesOrder } from './storagesOrder.state.ts'
import classes from './Storages.module.css'

// Loaded on use, since they include the forms of all kinds of storages.
const StorageEditor = lazy(() => import('../sources/StorageEditor.tsx').then((m) => ({ default: m.StorageEditor })))
const Tiles = lazy(() => import('../sources/AddStorage.tsx').then((m) => ({ default: m.Tiles })))

/** All configured storages with their capacity, forecast, growth, last scan and cost. */
export function StorageTable({ onAdd }: { onAdd: (tile: TileKey) => void }) {
  const { isNewest, active, at } = useActiveDate()
  const overview = useRemote(storageOverview, { query: at }, 'sources', 'volumes', 'snapshots', 'jobs', 'priceBooks')
  const [scanned, scan] = useState<StorageOverview | 'all'>()
  const isPast = active !== undefined && !isNewest
  const { data } = overview
  return (
    <>
      <Card
        title="All storages"
        note={isPast ? `As of ${active.indexingDate}, read-only` : data && counted(data.length, 'storage')}
        actions={
          !isPast &&
          data !== undefined &&
          data.length > 0 && (
            <RoleGuard needs="scans.start">
              <Button variant="default" onClick={() => scan('all')}>
                Scan All
              </Button>
            </RoleGuard>
          )
        }
        remote={overview}
        skeleton={<Skeleton rows={8} height={48} />}
      >
        {(storages) =>
          storages.length === 0 ? (
            <NoStorages onAdd={onAdd} />
          ) : (
            <Rows storages={storages} onScan={isPast ? undefined : scan} />
          )
        }
      </Card>
      <ScanDialog
        opened={scanned !== undefined}
        kind={kindOf(scanned)}
        selected={scanned === 'all' ? 'all' : scanned ? [scanned.volumeId] : []}
        onClose={() => scan(undefined)}
      />
    </>
  )
}

/** All storages are scanned by one job; one by the job of its kind. */
const kindOf = (scanned: StorageOverview | 'all' | undefined) =>
  (scanned && scanned !== 'all' && sourceOfType(scanned.type)?.kind) || 'any'

const NoStorages = ({ onAdd }: { onAdd: (tile: TileKey) => void }) => (
  <RoleGuard needs="settings.edit" otherwise={<Notice icon={IconDatabasePlus}>No storages yet.</Notice>}>
    <div className="stack inset gap-12">
      <p className="muted">No storages yet. What do you want to scan?</p>
      <Suspense fallback={<Skeleton rows={4} height={64} />}>
        <Tiles onSelect={onAdd} />
      </Suspense>
    </div>
  </RoleGuard>
)

type RowsProps = { storages: StorageOverview[]; onScan: RowHandlers['scan'] | undefined }

function Rows({ storages, onScan }: RowsProps) {
  const links = useLinks()
  const sort = useSnapshot(storagesOrder)
  const { edited, handlers, close } = useEditor(onScan)
  const columns = useMemo(() => storageColumns(handlers), [handlers])
  const rows = useMemo(() => withBars(sortStorages(storages, sort)), [storages, sort])
  const storage = storages.find(({ volumeId }) => volumeId === edited?.volumeId)
  return (
    <div className={classes.table}>
      <VirtualTable
        label="Storages"
        columns={columns}
        rows={rows}
        rowKey={({ volumeId }) => volumeId}
        stateOf={({ isScanning, lastScan }) => `${isScanning} ${lastScan?.jobId} ${lastScan?.state}`}
        rowHeight={48}
        sort={sort}
        onSort={orderStorages}
        onOpen={({ volumeId }) => navigate(links.volume(volumeId))}
      />
      {edited && storage && (
        <Suspense fallback={null}>
          <StorageEditor type={storage.type} {...edited} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

function withBars(storages: StorageOverview[]): StorageRow[] {
  const largest = Math.max(1, ...storages.map(({ snapshot }) => (snapshot?.total ? 0 : (snapshot?.sizeOfFiles ?? 0))))
  const rows = storages.map((one) => ({ ...one, largest, fileSystem: one.snapshot?.fileSystem ?? null }))
  return withSameDisk(rows)
}

/** The storage that is edited or deleted, as in the URL, and handlers that change it. */
function useEditor(scan: RowHandlers['scan'] | undefined) {
  const [query, change] = useQuery()
  const handlers = useMemo((): RowHandlers | undefined => {
    if (!scan) return undefined
    const open = (action: 'edit' | 'delete', id: number, at?: StorageField) =>
      change((query) => {
        query.set(action, String(id))
        if (at) query.set('at', at)
      })
    return {
      scan,
      edit: ({ volumeId }, at) => open('edit', volumeId, at),
      remove: ({ volumeId }) => open('delete', volumeId),
    }
    // oxlint-disable-next-line react/exhaustive-deps -- rows render again when the handlers change
  }, [scan])
  const action = query.has('edit') ? 'edit' : 'delete'
  const volumeId = Number(query.get(action))
  const edited =
    scan && volumeId > 0 && ({ volumeId, action, at: (query.get('at') ?? undefined) as StorageField } as const)
  const close = () => change((query) => ['edit', 'delete', 'at'].forEach((name) => query.delete(name)))
  return { edited: edited || undefined, handlers, close }
}
