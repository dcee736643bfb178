import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles } from '#events/search/calls.ts'
import { volumes } from '#events/snapshots.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer } from '#client/testing/fakeApi.ts'

import { openSearch, rowsNow, seeNames, query } from './testing/openSearch.ts'
test('files have an archive state, which can be searched for', async () => {
  const states = [
    { state: 'archived', since: '2026-01-05T12:00:00.000Z', index: 'Media' },
    { state: 'changed', since: '2026-01-05T12:00:00.000Z', index: 'Media' },
    { state: 'notArchived', since: null, index: null },
  ] as const
  const listed = states.map((archive, n) => entry(`/films/${n}.mov`, { archive }))
  const byState = answer(searchFiles, ({ query: { archived = [] } }) =>
    entryPage(listed.filter(({ archive }) => archived.length === 0 || archived.includes(archive!.state))),
  )
  const indexes = answer(
    volumes,
    volumePage([volume(1, { name: 'Films' }), volume(3, { name: 'Media', type: 'Archiware' })]),
  )
  const { person } = await openSearch('/search', byState, indexes)
  await seeNames('0.mov', '1.mov', '2.mov')
  const cells = () => rowsNow().map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))
  expect(cells()[0]).toContain('Archived')
  expect(cells()[1]).toContain('Changed since archived')
  expect(screen.getByTitle('Archived since 2026-01-05 in Media')).toBeDefined()
  await person.press('More')
  await person.pick('Archive state', 'Changed since archived')
  await seeNames('1.mov')
  expect(query()).toContain('archived=changed')
  await person.see('Archive state: Changed since archived')
})

test('without an archive index, files have no archive state', async () => {
  const { person } = await openSearch()
  await person.press('More')
  expect(await screen.findByLabelText('Only duplicates')).toBeDefined()
  expect(screen.queryByLabelText('Archive state')).toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'Archive state' })).toBeNull()
})
