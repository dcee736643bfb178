import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles, searchSizes } from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { volumes } from '#events/snapshots.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const rowsNow = () => [...document.querySelectorAll<HTMLElement>('tr[data-index]')]
const cells = () =>
  rowsNow().map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent?.trim()))
const seeNames = (...expected: string[]) => waitFor(() => expect(cells().map(([, name]) => name)).toEqual(expected))

test('files have an archive state, which can be searched for', async () => {
  const states = [
    { state: 'archived', since: '2026-01-05T12:00:00.000Z', index: 'Media' },
    { state: 'changed', since: '2026-01-05T12:00:00.000Z', index: 'Media' },
    { state: 'notArchived', since: null, index: null },
  ] as const
  const listed = states.map((archive, n) => entry(`/films/${n}.mov`, { archive }))
  const byState = answer(searchFiles, ({ query: { archived } }) =>
    entryPage(listed.filter(({ archive }) => archived.length === 0 || archived.includes(archive!.state))),
  )
  const { person } = await open('/search', {
    answers: [
      byState,
      answer(searchSizes, { count: 3, size: 3_072 }),
      answer(volumes, volumePage([volume(1, { name: 'Films' })])),
      answer(downloadLimit, { entries: 1_000 }),
      answer(knownTags, []),
      answer(knownReports, []),
    ],
  })
  await seeNames('0.mov', '1.mov', '2.mov')
  expect(cells()[0]).toContain('Archived')
  expect(cells()[1]).toContain('Changed since archived')
  expect(screen.getByTitle('Archived since 2026-01-05 in Media')).toBeDefined()
  await person.press('Filter')
  await person.pick('Archive state', 'Changed since archived')
  await seeNames('1.mov')
  expect(location.search).toContain('archived=changed')
  await person.see('Archive state: Changed since archived')
})
