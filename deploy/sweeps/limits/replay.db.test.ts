import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { takeAccount } from '#server/access/single-sign-on/account.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { isUserLimited } from '#server/platform/callers/scope.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { routesOf } from '#server/serve.ts'
import { testMoves } from '#server/work/projects/moves/testing/testMoves.ts'
import { asUser, testUser } from '#server/testing.ts'
import { readState, replayLog } from './testing/replayLog.ts'

const { platform, db, films, open, answer } = await testMoves()
const app = createApp(platform, routesOf(platform))
const none = { everything: false, projects: [] as number[], storages: [] as number[], folders: [] as object[] }

/** Makes changes as an administrator, whose session is confirmed. */
async function start() {
  await sql`DELETE FROM users WHERE EXISTS (SELECT FROM events WHERE stream = 'user-' || users.id)`.execute(db)
  await sql`TRUNCATE volumes, projects, limits, events CASCADE`.execute(db)
  const password = 'that of the first administrator'
  const first = asUser(app, await openSession(db, (await testUser(db, ['ROLE_ADMIN'], password)).id, '127.0.0.1'))
  const user = async (name: string, roles: string[] = []): Promise<number> =>
    (await first('POST', '/api/v1/users', { name, email: null, roles, isDisabled: false }).expect(200)).body.id
  return { admin: first, user }
}

/** A user of single sign-on, at each sign-in in these groups. */
const signIn = (subject: string, groups: string[]) =>
  db.transaction().execute((trx) =>
    takeAccount(changeIn(trx, system), {
      issuer: 'https://id.studio',
      subject,
      name: subject,
      email: undefined,
      isEmailVerified: false,
      roles: [],
      groups,
      missing: [],
    }),
  )

test('the event log gives the same limits, groups, members, managers and scopes in an empty database', async () => {
  const { admin, user } = await start()
  const random = newRandom(1)
  const users = [
    await user('anna'),
    await user('ben', ['ROLE_PROJECT_MANAGER']),
    await user('cleo'),
    await user('dora'),
  ]
  const { id, volumeId, mv, scan } = await films()
  const other = await films('/other')
  await signIn('ines', ['editors', 'sound'])
  await signIn('jan', [])
  const limit = (path: string, limits: object) => admin('PUT', `/api/v1/${path}/limits`, limits).expect(204)
  const members = (managers: number[], readers: number[]) =>
    admin('PUT', `/api/v1/projects/${id}/members`, { managers, readers }).expect(204)
  await limit('groups/editors', { ...none, projects: [id], folders: [{ storageId: volumeId, path: '/other' }] })
  await limit('groups/sound', { ...none, storages: [other.volumeId] })
  await limit(`users/${users[0]}`, { ...none, projects: [other.id] })
  await limit(`users/${users[2]}`, none)
  await members([users[1]!, users[2]!], [users[0]!])
  mv('/p1', '/p1-final')
  await scan('2026-01-02')
  await answer(id, 'follow', await open(id)).expect(204)
  const profile = (name: string, isDisabled: boolean) => ({ name, email: null, roles: [], isDisabled })
  // A disabled manager stays one, and a new user may have the name that another one had.
  await admin('PUT', `/api/v1/users/${users[2]}`, profile('cleo', true)).expect(204)
  await members([users[3]!], [users[0]!])
  await admin('PUT', `/api/v1/users/${users[2]}`, profile('cleo b', false)).expect(204)
  const second = await user('cleo')
  await members([second, users[3]!, users[2]!], [])
  await admin('PUT', `/api/v1/projects/${id}/statement-recipients`, { addresses: [] }).expect(204)
  await signIn('ines', ['sound'])
  for (let n = 0; n < 20; n++) {
    const some = <T>(all: T[]) => all.filter(() => random.chance(0.5))
    const limits = {
      everything: random.chance(0.2),
      projects: some([id, other.id]),
      storages: some([volumeId, other.volumeId]),
      folders: some([{ storageId: volumeId, path: '/p1-final/raw' }]),
    }
    await limit(random.chance(0.3) ? 'groups/sound' : `users/${random.pick(users)}`, limits)
  }
  await admin('DELETE', `/api/v1/users/${users[3]}`).expect(204)
  await admin('DELETE', `/api/projects/${other.id}`).expect(204)
  const before = await readState(db)
  expect(before.users.filter(({ scope }) => scope !== 'everything').length).toBeGreaterThan(2)
  expect(before.managers.length).toBeGreaterThan(1)
  await replayLog(db)
  expect(await readState(db)).toEqual(before)
})

/** Events as the version before users could be limited wrote them. */
const oldLog = [
  [
    'user-1007',
    'Created',
    { after: { name: 'anna', email: null, roles: ['ROLE_PROJECT_MANAGER'], isDisabled: false } },
  ],
  ['user-1008', 'Created', { after: { name: 'ines', email: 'ines@studio.example', roles: [], isDisabled: false } }],
  ['user-1008', 'ClaimsMissing', { claims: ['groups'] }],
  [
    'project-3',
    'Created',
    { after: { name: 'Aurora', description: '', allocatedSize: 5, paths: ['1:/p1', '1:/other'] } },
  ],
  [
    'project-3',
    'Changed',
    { before: { statementRecipients: [] }, after: { statementRecipients: ['a@studio.example'] } },
  ],
  [
    'project-3',
    'FolderMoveFound',
    { volumeId: 1, path: '/p1', movedTo: '/p2', places: [{ path: '/p1', beforeScan: 9 }] },
  ],
  [
    'project-3',
    'Changed',
    {
      before: { name: 'Aurora', description: '', allocatedSize: 5, paths: ['1:/p1', '1:/other'] },
      after: { name: 'Aurora 2', description: '', allocatedSize: 5, paths: ['1:/p2', '1:/other'] },
    },
  ],
  ['project-3', 'StatementClosed', { month: '2026-01' }],
  [
    'user-1007',
    'Changed',
    { before: { name: 'anna' }, after: { name: 'anna b', email: null, roles: [], isDisabled: false } },
  ],
] as const

test('a log of the version without limits replays: everyone sees everything, and projects have no managers', async () => {
  await start()
  await sql`INSERT INTO volumes (id, name, path) OVERRIDING SYSTEM VALUE VALUES (1, 'Films', '/films')`.execute(db)
  await sql`TRUNCATE events`.execute(db)
  const at = '2026-01-01T00:00:00.000Z'
  const version = new Map<string, number>()
  for (const [stream, type, data] of oldLog) {
    version.set(stream, (version.get(stream) ?? 0) + 1)
    await db
      .insertInto('events')
      .values({
        stream,
        type,
        at,
        actor: 'admin',
        address: null,
        evolveVersion: 1,
        version: version.get(stream) ?? 1,
        data: JSON.stringify({ type, at, ...data }),
      })
      .execute()
  }
  await replayLog(db)
  const { users, limits, managers, folders } = await readState(db)
  expect([limits, managers]).toEqual([[], []])
  expect(users).toEqual([
    { id: 1007, name: 'anna b', groups: [], scope: 'everything' },
    { id: 1008, name: 'ines', groups: [], scope: 'everything' },
  ])
  expect(await isUserLimited(db, 1008)).toBe(false)
  expect(folders.map(({ path }) => path).sort()).toEqual(['/other', '/p1', '/p2'])
})
