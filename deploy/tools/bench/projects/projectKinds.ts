import type { Db } from '#server/platform/postgres/postgres.ts'
import { snapshotDates } from '../questions/fill/calendar.ts'
import type { Kind } from '../questions/kinds.ts'

const older = `indexingDate=${snapshotDates[4]}`
const kind = (name: string, ...variants: [name: string, path: string][]): Kind => ({
  name,
  aims: [100, 100],
  light: true,
  variants: variants.map(([name, path]) => ({ name, paths: [`/v1/projects${path}`] })),
})

/** Queries of the project screens and the dashboard, for the first project. */
export async function projectKinds(db: Db): Promise<Kind[]> {
  const first = await db.selectFrom('projects').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  return [
    kind(
      'list of projects, first page',
      ['by name', ''],
      ['by size', '?sort=sizeOfFiles&direction=desc'],
      ['older', `?${older}`],
    ),
    kind('a project', ['newest', `/${first.id}`], ['older', `/${first.id}?${older}`]),
    kind(
      'history of a project',
      ['all dates', `/${first.id}/history`],
      ['up to an older one', `/${first.id}/history?${older}`],
    ),
    kind(
      'most active projects',
      ['in a month', '/mostActiveProjects'],
      ['in a year', '/mostActiveProjects?duration=365'],
    ),
  ]
}
