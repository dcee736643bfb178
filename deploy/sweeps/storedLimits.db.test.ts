import { beforeEach, expect, test } from 'vitest'
import type { UserLimit } from '#events/users/userLimits.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { asUser, testUser } from '#server/testing.ts'
import { openAllCalls } from './testing/allCalls.ts'

const { platform, app, admin } = await openAllCalls()
const { db } = platform
const signedIn = async () => asUser(app, await openSession(db, (await testUser(db, ['ROLE_ADMIN'])).id, '127.0.0.1'))
type Ask = typeof admin
const set = (name: UserLimit, value: number) =>
  admin('PUT', '/api/configurations', [{ name, value: String(value) }]).expect(200)

beforeEach(() => db.deleteFrom('schedules').execute())

let made = 0
const unique = () => `Limit ${(made += 1)}`
const everything = { searchQueries: [{ name: { values: ['a'] } }] }
const cron = '0 0 0 * * ?'
const schedule = (more: object) => ({ name: unique(), cron, ...more })
const stored: [UserLimit, string, () => object, string][] = [
  ['savedSearchesPerUser', '/api/v1/savedSearches', () => ({ name: unique(), query: 'a=b' }), 'saved searches'],
  ['notificationsPerUser', '/api/v1/notifications', () => ({ webhook: 'https://hooks.test' }), 'job notifications'],
  [
    'alertsPerUser',
    '/api/v1/schedules',
    () =>
      schedule({
        jobGroup: 'ALERT',
        jobClass: 'VOLUME_SPACE_ALERT',
        payload: { resourceIds: [], all: true, threshold: 90 },
      }),
    'alerts',
  ],
  [
    'reportsPerUser',
    '/api/v1/reports/templates',
    () => ({ name: unique(), type: 'SEARCH_QUERY', parameters: { searchQueryNode: everything } }),
    'reports',
  ],
  ['apiTokensPerUser', '/api/v1/apiTokens', () => ({ name: unique(), roles: [], days: 1 }), 'API tokens'],
]

test.each(stored)(
  '%s: of ten at the same moment three are stored, and others are not affected',
  async (name, path, draft, noun) => {
    await set(name, 3)
    const ana = await signedIn()
    const create = (ask: Ask) => ask('POST', path, draft()).then(({ status, body }) => ({ status, body }))
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(ana)))
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status < 300).length, refused.length]).toEqual([3, 7])
    expect(refused[0]?.body).toEqual({
      code: `limit-${name}`,
      message: `You already have 3 ${noun}, the maximum. Delete some you don't need, or ask an administrator to raise the limit.`,
    })
    expect((await create(await signedIn())).status).toBeLessThan(300)
    await set(name, 4)
    expect([(await create(ana)).status < 300, (await create(ana)).status]).toEqual([true, 429])
  },
)

test('deleted items make room for others', async () => {
  await set('savedSearchesPerUser', 1)
  const ana = await signedIn()
  const create = () => ana('POST', '/api/v1/savedSearches', { name: unique(), query: 'a=b' })
  const { id } = (await create().expect(200)).body as { id: number }
  const { message } = (await create().expect(429)).body as { message: string }
  expect(message).toMatch(/^You already have 1 saved search, the maximum\./)
  await ana('PUT', `/api/v1/savedSearches/${id}`, { name: unique(), query: 'a=c' }).expect(204)
  await ana('DELETE', `/api/v1/savedSearches/${id}`).expect(204)
  const { body } = await create()
  expect(body.id).toBeGreaterThan(id)
})
