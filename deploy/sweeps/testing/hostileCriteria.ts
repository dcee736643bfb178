import { expect, test } from 'vitest'
import { Criteria, WrittenCriteria } from '#events/search/criteria.ts'
import { oddCriteria } from '#server/questions/search/oracle/oddCriteria.ts'
import type { AllCalls } from './allCalls.ts'

/** Tests that odd criteria are refused by name or interpreted correctly, in every call that takes criteria. */
export function testHostileCriteria({ routes, admin: ask }: AllCalls): void {
  const paths = routes
    .filter(({ endpoint: { body } }) => body === Criteria || body === WrittenCriteria)
    .map(({ endpoint: { path } }) => path)
  /** The call that tags needs a tag, too. */
  const send = (path: string, body: unknown) =>
    ask('POST', `/api${path}${path.endsWith('/tags') ? '?tagToApply=x' : ''}`, JSON.stringify(body))
  const jobs = async () => (await ask('GET', '/api/v1/jobs')).body.total

  test('lists, sums, charts, media, downloads and tags are requested by criteria', () => {
    const all = ['', '/csv', '/dates', '/fields', '/media', '/sizes', '/tags', '/xlsx'].map(
      (call) => `/v1/search${call}`,
    )
    expect(paths.toSorted()).toEqual(all)
  })

  test.each(paths)('%s names the field of odd criteria, and does nothing', async (path) => {
    const before = await jobs()
    for (const [body, field] of oddCriteria) {
      const context = JSON.stringify(body).slice(0, 80)
      const { status, body: answer } = await send(path, body)
      expect([context, status, answer.subErrors?.[0]?.field]).toEqual([context, 400, field])
    }
    expect(await jobs()).toBe(before)
  })

  const values = [
    `'`,
    '\\',
    '%',
    '*',
    '\n',
    `' OR 1=1 --`,
    `'); DROP TABLE entries; --`,
    '{p0:String}',
    'x'.repeat(900),
  ]
  test.each(paths)('%s takes odd values as they are', async (path) => {
    const searchQueries = [
      { name: { values } },
      ...values.flatMap((value) => [{ path: { startsWith: value } }, { [`metadata.${value}`]: { wildcard: value } }]),
    ]
    expect((await send(path, { searchOperator: 'OR', searchQueries })).status).toBe(200)
  })

  test('criteria that the store of jobs cannot hold are refused by name', async () => {
    const before = await jobs()
    for (const text of ['a\0b', '\ud800']) {
      const { status, body } = await send('/v1/search/tags', [{ size: { min: 1 } }, { name: { values: ['a', text] } }])
      expect([status, body.subErrors?.[0].field]).toEqual([400, 'searchQueries.1.name.values.1'])
      const key = await send('/v1/search/tags', [{ [`metadata.${text}`]: { value: 'a' } }])
      expect([key.status, key.body.subErrors?.[0].field]).toEqual([400, `searchQueries.0.metadata.${text}`])
    }
    const { status, body } = await ask('POST', '/api/v1/files/search/tags?tagToApply=x&search=%00')
    expect([status, body.subErrors?.[0].field]).toEqual([400, 'search'])
    expect(await jobs()).toBe(before)
  })
}
