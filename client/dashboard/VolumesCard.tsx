import { Button } from '@mantine/core'
import { IconDatabaseOff } from '@tabler/icons-react'
import { useState } from 'react'
import { withSameDisk } from '#events/capacity.ts'
import { type Dashboard, type StorageSize, type StorageTrend, storageTrends } from '#events/dashboard.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { volumeColumns } from './volumeColumns.tsx'

const shownAtFirst = 12

/** All storages with their used capacity over the last 90 days. */
export function VolumesCard({ dashboard }: { dashboard: Loadable<Dashboard> }) {
  const { indexingDate } = useActiveDate()
  const query = indexingDate === undefined ? {} : { indexingDate }
  const trends = useRemote(storageTrends, { query }, 'snapshots', 'dashboard')
  useFailureToast(trends.error, { group: 'dashboard' })
  const { data } = trends
  const storages = dashboard.data?.storages
  const both = { ...trends, data: data && storages && { trends: data, storages } }
  const priced = useVolumes()
  return (
    <Card title="Storage overview" remote={both} skeleton={<Skeleton rows={5} height={32} />}>
      {({ trends, storages }) =>
        storages.length === 0 ? (
          <Notice icon={IconDatabaseOff}>There is no data for this indexing date.</Notice>
        ) : (
          <Volumes storages={storages} trends={trends} priced={priced} />
        )
      }
    </Card>
  )
}

type VolumesProps = {
  storages: StorageSize[]
  trends: StorageTrend[]
  /** Volumes with their price books. */
  priced: ReturnType<typeof useVolumes>
}

function Volumes({ storages, trends, priced }: VolumesProps) {
  const [all, showAll] = useState(false)
  const pointsOf = new Map(trends.map(({ volumeId, points }) => [volumeId, points]))
  const priceOf = new Map(priced.data?.elements.map(({ id, storagePrice }) => [id, storagePrice]))
  const largest = storages.toSorted((a, b) => (b.used ?? b.sizeOfFiles) - (a.used ?? a.sizeOfFiles))
  const shown = all ? largest : largest.slice(0, shownAtFirst)
  return (
    <DataTable
      label="Storage overview"
      columns={volumeColumns}
      rows={withSameDisk(shown).map((storage) => ({
        ...storage,
        points: pointsOf.get(storage.volumeId) ?? [],
        price: { ...priced, data: priceOf.get(storage.volumeId) },
      }))}
      rowKey={({ volumeId }) => volumeId}
      empty={null}
      footer={
        shown.length < largest.length && (
          <Button variant="default" onClick={() => showAll(true)}>
            Show {counted(largest.length - shown.length, 'more storage')}
          </Button>
        )
      }
    />
  )
}
