import { snapshotDates, snapshotDeletion, snapshotList, volumes } from '#events/snapshots.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { deleteSnapshot } from './retention/deleteSnapshot.ts'
import { listSnapshotDates } from './reading/listSnapshotDates.ts'
import { listSnapshots } from './reading/listSnapshots.ts'
import { listVolumes } from './reading/listVolumes.ts'

export const snapshotRoutes = ({ db, clickhouse, live }: Pick<Platform, 'db' | 'clickhouse' | 'live'>) => [
  route(snapshotDates, (_, { scope }) => listSnapshotDates(db, scope)),
  route(snapshotList, ({ query }) => listSnapshots(db, query)),
  route(snapshotDeletion, async ({ params }, by) => {
    await deleteSnapshot(db, params.date, by)
    live({ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] })
  }),
  route(volumes, ({ query }, { scope }) => listVolumes({ db, clickhouse }, scope, query)),
]
