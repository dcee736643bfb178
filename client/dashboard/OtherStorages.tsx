import { useSnapshot } from 'valtio'
import type { StorageSize } from '#events/dashboard.ts'
import { session } from '../app/session.state.ts'
import { SizeBarsCard } from './SizeBarsCard.tsx'
import { storageKind } from '../parts/storages/storageKind.ts'
import classes from './DashboardPage.module.css'

/** Buckets and archives, where there are any; those of an archive only with its bundle. */
export function OtherStorages({ storages }: { storages: StorageSize[] }) {
  const { user } = useSnapshot(session)
  const objects = storages.filter(({ type }) => storageKind(type) === 'Object storage')
  const indexes = user?.bundles.includes('archiwareP5') ? storages.filter(({ type }) => type === 'Archiware') : []
  return (
    <>
      {objects.length > 0 && (
        <div className={classes.half}>
          <SizeBarsCard title="Object Storage Sizes" storages={objects} />
        </div>
      )}
      {indexes.length > 0 && (
        <div className={classes.half}>
          <SizeBarsCard title="Archiware P5 Index Sizes" storages={indexes} />
        </div>
      )}
    </>
  )
}
