import { snapshotDates, volumes } from '#events/snapshots.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { listSnapshotDates } from './listSnapshotDates.ts'
import { listVolumes } from './listVolumes.ts'

export const snapshotRoutes = ({ db }: Pick<Platform, 'db'>) => [
  route(snapshotDates, () => listSnapshotDates(db)),
  route(volumes, ({ query }) => listVolumes(db, query)),
]
