import { expect, test } from 'vitest'
import { walkPages } from '#agent/scan/pages/walkPages.ts'
import { requestsOf } from '#agent/testing/requestsOf.ts'
import { orderOf } from '#agent/testing/walked.ts'
import { fillIndex } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { callsTo, contentsOf, defaultIndex, openIndex } from './testing.ts'

test('100,000 entries are listed, each folder once, among them one of 5,000 files', async () => {
  const p5 = await simulator()
  const index = defaultIndex(p5)
  fillIndex(index, 100_000)
  const system = await openIndex(p5)
  if (system.listing !== 'pages') throw new Error('An index is listed in pages')
  const { counts } = await walkPages(orderOf('', { pending: [''] }), system.pages, {
    listener: { batch: async () => {}, unreadable: () => {}, progressed: () => {} },
    nextPage: async () => ({ pending: [], morePending: 0 }),
    requests: requestsOf(system.pages),
    signal: system.signal,
  })
  const contents = contentsOf(p5, index)
  const folders = contents.filter(({ isDirectory }) => isDirectory).length
  const bytes = contents.reduce((sum, { size }) => sum + size, 0)
  // The storage itself is an entry too.
  expect(counts).toMatchObject({ entries: contents.length + 1, directories: folders + 1, bytes })
  const lists = callsTo(p5).filter((call) => call.includes('/inventory'))
  expect([lists.length, new Set(lists).size]).toEqual([folders + 1, folders + 1])
})
