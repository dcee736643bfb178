import { sessionCookie } from '#events/users/session.ts'
import { openSession } from '#server/platform/callers/session.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { median } from '../../kit/samples.ts'
import { forgetConditions, type QueryClient, startClient } from './queryClient.ts'
import { findTargets, type Place } from './targets.ts'

/** Maximum ratio of the time for a user with limits to that of the same question limited by the search box. */
const maxRatio = 1.2
const rounds = 9
const scopes = [1, 30, 1_000]

const questions: Record<string, string> = {
  'files by size': '/files/search?size=50&sort=size&direction=desc',
  'files by pattern': '/files/search?size=50&search=*comp*',
  'total sizes': '/files/search/sizes?',
  'by extension': '/files/search/fields?fieldName=extension',
  'only duplicates': '/files/search/sizes?onlyDuplicates=true',
}

/** Compares questions of users who see 1, 30 and 1,000 folders of a show with those of a user who searches in the show. */
export async function measureLimited(platform: Platform, address: string, whole: QueryClient): Promise<void> {
  const { show } = await findTargets(platform)
  console.log('\nLimited to folders                  limited   by search box   ratio')
  for (const count of scopes) {
    const folders = count === 1 ? [show.path] : await foldersBelow(platform, show, count)
    const limited = startClient(address, await limitedCookie(platform, show.volume, folders))
    for (const [name, path] of Object.entries(questions)) {
      const searched = `${path}&storageAndPath=${encodeURIComponent(`${show.volume}:${show.path}`)}`
      const times = { limited: [] as number[], searched: [] as number[] }
      for (let round = 0; round <= rounds; round++) {
        const pair = [await ask(platform, limited, path), await ask(platform, whole, searched)] as const
        // The first round warms up.
        if (round > 0) for (const [i, each] of [times.limited, times.searched].entries()) each.push(pair[i] ?? 0)
      }
      const [own, box] = [median(times.limited), median(times.searched)]
      const verdict = own / box <= maxRatio ? '' : `  more than ${maxRatio} ×`
      console.log(
        `${`${folders.length} folders, ${name}`.padEnd(34)}${own.toFixed(0).padStart(6)} ms${box.toFixed(0).padStart(13)} ms${(own / box).toFixed(2).padStart(8)}${verdict}`,
      )
    }
    await limited.stop()
  }
}

async function ask({ clickhouse }: Platform, client: QueryClient, path: string): Promise<number> {
  await forgetConditions(clickhouse)
  const { milliseconds, failure } = await client.ask([path])
  if (failure !== undefined) throw new Error(`${path}: ${failure}`)
  return milliseconds
}

/** Folders below a folder, none of them in another one of the list. */
async function foldersBelow({ clickhouse }: Platform, { volume, path }: Place, count: number): Promise<string[]> {
  const below = sql`volume = ${volume} AND is_directory AND startsWith(parent_path, ${`${path}/`})`
  const rows = await clickhouse.rows<{ folder: string }>(sql`
    SELECT concat(parent_path, name) AS folder FROM entries WHERE ${below} AND depth = (
      SELECT argMax(depth, (least(found, ${count}), -depth)) FROM (SELECT depth, count() AS found FROM entries WHERE ${below} GROUP BY depth))
    ORDER BY files DESC, folder LIMIT ${count}`)
  return rows.map(({ folder }) => folder)
}

async function limitedCookie({ db }: Platform, storageId: number, paths: string[]): Promise<string> {
  const user = { name: `limited-${Date.now()}`, roles: [] }
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  const folders = JSON.stringify(paths.map((path) => ({ storageId, path })))
  await db.insertInto('limits').values({ userId: id, everything: false, projects: [], storages: [], folders }).execute()
  return `${sessionCookie}=${await openSession(db, id, '127.0.0.1')}`
}
