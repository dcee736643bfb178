import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/** A folder of a volume. */
export type Place = { volume: number; path: string }

/** Folders for queries, the same in each fill. */
export type Targets = {
  studio: number
  office: number
  /** A whole show, with hundreds of thousands of files in a large fill. */
  show: Place
  /** A sequence of frames. */
  render: Place
  /** A flat folder with a large number of files. */
  inbox: Place
  department: Place
  /** A folder eight levels below the root. */
  deep: Place
}

/** The first volume of each shape, and places in them. */
export async function findTargets({ db, clickhouse }: Stores): Promise<Targets> {
  const volumes = await db
    .selectFrom('volumes')
    .select('id')
    .where('name', 'in', ['studio-01', 'office-01'])
    .orderBy('id')
    .execute()
  const [studio = 0, office = 0] = volumes.map(({ id }) => id)
  const folder = async (volume: number, below: string, depth: number): Promise<Place> => {
    const { path } = await clickhouse.one<{ path: string }>(sql`
      SELECT concat(parent_path, name) AS path FROM entries
      WHERE volume = ${volume} AND is_directory AND startsWith(parent_path, ${below}) AND depth = ${depth}
      ORDER BY files DESC, path LIMIT 1`)
    return { volume, path }
  }
  const show = await folder(studio, '/projects/', 2)
  return {
    studio,
    office,
    show,
    render: await folder(studio, `${show.path}/sequences/`, 7),
    inbox: { volume: studio, path: '/inbox' },
    department: await folder(office, '/', 1),
    deep: await folder(office, '/Users/', 8),
  }
}
