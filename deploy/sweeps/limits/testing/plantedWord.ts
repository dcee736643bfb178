import request from 'supertest'
import { roles as allRoles } from '#events/contract/needs.ts'
import { noFilters } from '#events/search/filters.ts'
import { csrfCookie, csrfHeader } from '#events/users/session.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { today } from '#server/platform/days.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { queueTagging } from '#server/work/tags/queueTagResults.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { asUser, testToken, testUser } from '#server/testing.ts'
import type { AllCalls } from '../../testing/allCalls.ts'
import { newLimitedUser } from './limitedHistory.ts'

/** In no name, tag, owner or text that the user may see. Requests have parts of it only, because errors repeat what was sent. */
export const word = 'Qzxjvqu'
export const held = allRoles.filter((role) => role !== 'ROLE_ADMIN')
export const dates = ['2026-01-01', '2026-01-02']

const owned = { owner: word, group: word, metadata: { [word]: word } }
const link = { linkCount: 2, inode: 77, size: 500 }
/** The visible project, with a file that came from outside, one that left, a hard link, and a copy of files outside. */
function folders(isLater: boolean) {
  const moved = { inode: 55, size: 700, modified: 1_650_000_000 }
  const came: File[] = [{ ...moved, path: isLater ? '/clients/aurora/came.mov' : `/clients/${word}/${word}.mov` }]
  const left: File[] = [
    { ...moved, inode: 56, path: isLater ? `/clients/${word}/left-${word}.mov` : '/clients/aurora/left.mov' },
  ]
  const files = [...came, ...left]
  const inFolder = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`))
  const copy = { size: 900, modified: 1_640_000_000, inode: 60 }
  return [
    { path: '', entries: [{ path: '/clients', isDirectory: true, inode: 2, ...owned }] },
    {
      path: '/clients',
      entries: [
        { path: '/clients/aurora', isDirectory: true, inode: 3 },
        { path: `/clients/${word}`, isDirectory: true, inode: 4, ...owned },
        { path: `/clients/${word}.${word}`, inode: 5, ...owned },
      ],
    },
    {
      path: '/clients/aurora',
      entries: [
        { ...link, path: '/clients/aurora/linked.mov' },
        { ...copy, path: '/clients/aurora/copy.mov' },
        ...inFolder('/clients/aurora'),
      ],
    },
    {
      path: `/clients/${word}`,
      entries: [
        { ...link, path: `/clients/${word}/a-${word}.mov` },
        { ...copy, inode: 61, path: `/clients/${word}/copy.mov`, ...owned },
        ...inFolder(`/clients/${word}`),
      ],
    },
  ]
}

/** Plants the word in everything outside of a project, and returns what is there. */
export async function plant(all: AllCalls) {
  const { platform, admin } = all
  const { db } = platform
  const [films, others] = [await newVolume(platform, 'Films'), await newVolume(platform, `${word} storage`)]
  for (const [index, indexingDate] of dates.entries()) {
    await scanFolders(platform, { volumeId: films, indexingDate }, folders(index === 1))
    const entries = [
      { path: `/${word}`, isDirectory: true, ...owned },
      { path: `/${word}.${word}`, ...owned },
    ]
    await scanFolders(platform, { volumeId: others, indexingDate }, [
      { path: '', entries },
      { path: `/${word}`, entries: [] },
    ])
  }
  const tagged = [
    { volumeId: films, path: '/clients', isDirectory: true },
    { volumeId: films, path: `/clients/${word}`, isDirectory: true },
    { volumeId: others, path: `/${word}.${word}`, isDirectory: false },
  ]
  await changeTagsOf(platform, tagged, {
    decide: () => ({ add: [word, `dataintell.report.${word}.2026-01-02`], remove: [] }),
    by: system,
    scope: 'everything',
  })
  // A report of others found a visible file.
  await changeTagsOf(platform, [{ volumeId: films, path: '/clients/aurora/copy.mov', isDirectory: false }], {
    decide: () => ({ add: [`dataintell.report.${word}.2026-01-02`], remove: [] }),
    by: system,
    scope: 'everything',
  })
  const [hidden, project] = [
    { name: `${word} project`, description: word, allocatedSize: 1, paths: [{ volumeId: others, path: '/' }] },
    { name: 'Aurora', description: '', allocatedSize: 1, paths: [{ volumeId: films, path: '/clients/aurora' }] },
  ]
  const create = async (draft: object): Promise<number> =>
    (await admin('POST', '/api/projects', draft).expect(200)).body.id
  const at = { films, others, hidden: await create(hidden), project: await create(project) }
  // The project had a folder outside, and its statement of an earlier month counts it.
  const earlier = { ...project, paths: [...project.paths, { volumeId: others, path: `/${word}` }] }
  for (const paths of [earlier.paths, project.paths])
    await admin('PUT', '/api/projects', { ...project, id: at.project, paths }).expect(200)
  const scans = await db.selectFrom('scans').select('id').execute()
  await db
    .insertInto('scanUnreadable')
    .values(scans.map(({ id }) => ({ scanId: id, path: `/clients/${word}`, error: word })))
    .execute()
  const { id: someone } = await testUser(db, [])
  await db
    .insertInto('savedSearches')
    .values({ userId: someone, name: word, query: `startingPath=/clients/${word}`, isShared: true })
    .execute()
  const searchQueryNode = { searchQueries: [{ name: { wildcard: `*${word}*` } }] }
  const report = { name: `${word} report`, type: 'SEARCH_QUERY', parameters: { searchQueryNode } }
  await admin('POST', '/api/v1/reports/templates', report).expect(200)
  const schedule = { name: `${word} scan`, cron: '0 0 3 * * ?', jobGroup: 'SCANNER', jobClass: 'SCAN_VOLUMES' }
  await admin('POST', '/api/v1/schedules', { ...schedule, payload: { volumes: [films, others] } }).expect(200)
  const job = await queueTagging(
    platform,
    { tags: [word], remove: false, isDirectory: false, filters: { ...noFilters, search: word } },
    { ...system, name: word },
  )
  return { ...at, job, month: today().slice(0, 7), ...(await idsOf(platform)) }
}
export type Planted = Awaited<ReturnType<typeof plant>>

async function idsOf({ clickhouse }: AllCalls['platform']) {
  const rows = await clickhouse.rows<{ id: string; hash: string }>(
    sql`SELECT lower(hex(file_id)) AS id, lower(hex(identification_hash)) AS hash FROM entries`,
  )
  return { ids: rows.map(({ id }) => id), hashes: [...new Set(rows.map(({ hash }) => hash))] }
}

type Ask = ReturnType<typeof asUser>
type OpenCaller = { name: string; ask: Ask }

/** Users who see the project alone, each in another way, and one who sees nothing. Each opens a new session. */
export async function limitedCallers({ platform, app, admin }: AllCalls, { films, project }: Planted) {
  const { db } = platform
  const limits = { folders: [{ storageId: films, path: '/clients/aurora' }], projects: [project] }
  const newUser = () => newLimitedUser(platform, held, limits)
  const [own, viewed, tokened] = await Promise.all([newUser(), newUser(), newUser()])
  const nothing = await newLimitedUser(platform, held, {})
  const grouped = await testUser(db, held)
  const atProvider = { groups: ['editors'], issuer: 'https://id.studio', subject: 'gil' }
  await db.updateTable('users').set(atProvider).where('id', '=', grouped.id).execute()
  await admin('PUT', '/api/v1/groups/editors/limits', { everything: false, storages: [], ...limits }).expect(204)
  const { token } = await testToken(db, held, tokened.id)
  const inBrowser = (name: string, id: number) => async (): Promise<OpenCaller> => ({
    name,
    ask: asUser(app, await openSession(db, id, '127.0.0.1')),
  })
  const withHeaders =
    (headers: Record<string, string>): Ask =>
    (method, path, body) => {
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
      const response = request(app)[verb](path).set(headers)
      return body === undefined ? response : response.set('Content-Type', 'application/json').send(body)
    }
  const view = async (): Promise<OpenCaller> => {
    const started = await admin('POST', `/api/v1/users/${viewed.id}/view`).expect(204)
    const [, session = ''] = /VIEW=([^;]+)/.exec(String(started.headers['set-cookie'])) ?? []
    const cookie = `VIEW=${session}; ${csrfCookie}=of the browser`
    return { name: 'view', ask: withHeaders({ Cookie: cookie, [csrfHeader]: 'of the browser' }) }
  }
  const byToken = (): Promise<OpenCaller> =>
    Promise.resolve({ name: 'token', ask: withHeaders({ Authorization: `Bearer ${token}` }) })
  return {
    own: inBrowser('own', own.id),
    others: [inBrowser('group', grouped.id), byToken, view],
    nothing: inBrowser('nothing', nothing.id),
  }
}
