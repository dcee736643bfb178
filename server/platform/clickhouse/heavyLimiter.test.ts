import { expect, test } from 'vitest'
import { userLimits } from '#events/users/userLimits.ts'
import { runAsUser, type UserLimits } from '#server/platform/limits/userLimits.ts'
import { openQueryLimiter } from './heavyLimiter.ts'
import { sql } from './sql.ts'

const limits = Object.fromEntries(
  Object.entries(userLimits).map(([name, { defaultValue }]) => [name, Number(defaultValue)]),
) as UserLimits
const { signal } = new AbortController()
const end = () => Promise.withResolvers<string>()
const asUser = <T>(key: string, work: () => Promise<T>) => runAsUser({ key, limits }, work)

test.each([
  ['different conditions', (i: number) => sql`name = ${i}`],
  ['the same condition', () => sql`name = 1`],
])(
  'of 40 heavy queries of a user with %s, others still get a turn, and those above the queue get 429',
  async (_, of) => {
    const limiter = openQueryLimiter({ heavy: 3, background: 3 })
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
  const limiter = openQueryLimiter({ heavy: 3, background: 3 })
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
