import { snapshotDates, snapshotDeletion, snapshotList, volumes } from '#events/snapshots.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { deleteSnapshot } from './deleteSnapshot.ts'
import { listSnapshotDates } from './listSnapshotDates.ts'
import { listSnapshots } from './listSnapshots.ts'
import { listVolumes } from './listVolumes.ts'

export const snapshotRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => [
  route(snapshotDates, () => listSnapshotDates(db)),
  route(snapshotList, ({ query }) => listSnapshots(db, query)),
  route(snapshotDeletion, async ({ params }, by) => {
    await deleteSnapshot(db, params.date, by)
    live({ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] })
  }),
  route(volumes, ({ query }) => listVolumes(db, query)),
]
