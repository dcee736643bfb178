import { type Sql, sql, typed } from '#server/platform/sql.ts'
import type { ShownVolume } from '#server/snapshots/index.ts'

/** What a snapshot says of the volume of each row. */
export function ofVolume(volumes: ShownVolume[], value: (volume: ShownVolume) => string): Sql {
  if (volumes.length === 0) return sql`''`
  const ids = volumes.map(({ volumeId }) => volumeId)
  return sql`transform(volume, ${typed(ids, 'Array(UInt32)')}, ${typed(volumes.map(value), 'Array(String)')}, '')`
}
