import { expect, test } from 'vitest'
import { userLimits } from '#events/users/userLimits.ts'
import { runAsUser, type UserLimits } from '#server/platform/limits/userLimits.ts'
import { Admission } from '#server/platform/limits/admission.ts'
import { kindsOf, type Weight } from './runQuery.ts'
import { keyOf, type Sql, sql } from './sql.ts'

const limits = Object.fromEntries(
  Object.entries(userLimits).map(([name, { defaultValue }]) => [name, Number(defaultValue)]),
) as UserLimits
const { signal } = new AbortController()
/** The queue of queries, with more connections than limits. */
function openQueryLimiter(connections = Infinity) {
  const admission = new Admission('ClickHouse is closed', connections)
  type Query = { weight: Weight; condition?: Sql; signal: AbortSignal }
  return {
    take: <T>(work: () => Promise<T>, { weight, condition, signal }: Query) =>
      admission.take(kindsOf[weight], work, { key: condition && keyOf(condition), signal }),
  }
}
const end = () => Promise.withResolvers<string>()
const asUser = <T>(key: string, work: () => Promise<T>) => runAsUser({ key, limits }, work)

test.each([
  ['different conditions', (i: number) => sql`name = ${i}`],
  ['the same condition', () => sql`name = 1`],
])(
  'of 40 heavy queries of a user with %s, others still get a turn, and those above the queue get 429',
  async (_, of) => {
    const limiter = openQueryLimiter()
    const done = end()
    const begun: string[] = []
    const query = (name: string, condition = sql`size > 1`) =>
      asUser(name, () => limiter.take(() => (begun.push(name), done.promise), { weight: 'heavy', condition, signal }))
    const all = Array.from({ length: 40 }, (_, i) => query('ana', of(i)))
    const states = Promise.allSettled(all)
    await expect(
      Promise.any(
        all.slice(32).map((one) =>
          one.then(
            () => 0,
            (error: unknown) => error,
          ),
        ),
      ),
    ).resolves.toMatchObject({
      status: 429,
      code: 'limit-heavyQueriesPerUser',
      retryAfterSeconds: 10,
      message: '30 of your queries are waiting already. Try again in 10 seconds.',
    })
    const other = query('bob')
    await expect.poll(() => begun.includes('bob')).toBe(true)
    expect(begun.filter((name) => name === 'ana').length).toBeLessThanOrEqual(2)
    done.resolve('rows')
    expect(await other).toBe('rows')
    expect((await states).filter(({ status }) => status === 'rejected')).toHaveLength(8)
  },
)

test('queries of a user leave connections to others, and work of the product is not counted', async () => {
  const limiter = openQueryLimiter()
  const done = end()
  const begun: string[] = []
  const run = (name: string) => limiter.take(() => (begun.push(name), done.promise), { weight: 'light', signal })
  const all = [
    ...Array.from({ length: 20 }, () => asUser('ana', () => run('ana'))),
    asUser('bob', () => run('bob')),
    ...Array.from({ length: 10 }, () => run('product')),
  ]
  await expect.poll(() => begun.length).toBe(15)
  expect(begun.toSorted()).toEqual([...Array<string>(4).fill('ana'), 'bob', ...Array<string>(10).fill('product')])
  done.resolve('rows')
  await Promise.all(all)
})

test.each([
  ['one user', 1, 30],
  ['many users', 12, 8],
])(
  'searches of %s end with few connections: the page and the totals never wait for each other',
  async (_, users, each) => {
    const limiter = openQueryLimiter(2)
    let running = 0
    const run = (user: string, search: string) => {
      const query = async () => {
        expect(++running).toBeLessThanOrEqual(2)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      }
      return asUser(user, () => limiter.take(query, { weight: 'heavy', condition: sql`name = ${search}`, signal }))
    }
    const searches = Array.from({ length: users * each }, async (_, i) => {
      const user = `user ${i % users}`
      // A third of the searches is repeated by other users at the same time.
      const search = i % 3 === 0 ? 'same' : `search ${i}`
      // Both parts, and a light query that a page reads after its rows.
      await Promise.all([run(user, search), each > 15 ? undefined : run(user, search)])
      await asUser(user, () => limiter.take(async () => {}, { weight: 'light', signal }))
    })
    await Promise.all(searches)
    expect(running).toBe(0)
  },
)

test('a user with many waiting queries lets the first one of another user go ahead', async () => {
  const limiter = openQueryLimiter()
  const order: string[] = []
  const ends: (() => void)[] = []
  const query = (user: string) =>
    asUser(user, () =>
      limiter.take(
        () => {
          order.push(user)
          return new Promise<void>((resolve) => ends.push(resolve))
        },
        { weight: 'heavy', signal },
      ),
    )
  const all = [...Array<string>(6).fill('ana'), ...Array<string>(6).fill('bea'), 'cy'].map(query)
  await expect.poll(() => order).toEqual(['ana', 'ana', 'bea'])
  ends[0]?.()
  await expect.poll(() => order.slice(3)).toEqual(['cy'])
  for (let i = 1; i < all.length; i++) {
    await expect.poll(() => ends.length).toBeGreaterThan(i)
    ends[i]?.()
  }
  await Promise.all(all)
})
