import { waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { EntrySummary } from '#events/entries.ts'
import { contentsOfFolder } from '#events/folders/browse.ts'
import { folderDetails } from '#events/folders/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { storages } from '#events/storages.ts'
import { configuredStorage, entry, liveState, storagesWith, today } from '#client/testing/examples.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { films, folder, openFiles } from '#client/testing/fakeFolders.ts'
import { rowOf, seeNames } from './testing/treeRows.ts'

const change: LiveEvent = { type: 'changed', topics: ['live'] }

test('in Now, what is open and selected stays so while files are written', async () => {
  const entries = films()
  const { person, api, live } = await openFiles({ date: 'now' }, entries)
  await person.press('Open projects')
  await seeNames('projects', 'alpha', 'beta', 'nothing', 'odd', 'loose.mov')
  await person.pressAt(rowOf('beta'))
  await person.keys('x')
  entries.push(entry('/projects/new.mov', { size: 7_000 }))
  live.send('changed', change)
  await seeNames('projects', 'alpha', 'beta', 'nothing', 'new.mov', 'odd', 'loose.mov')
  expect(rowOf('beta').getAttribute('aria-selected')).toBe('true')
  expect(api.inputs(contentsOfFolder).every(({ query }) => query.indexingDate === 'now')).toBe(true)
  expect(api.inputs(folderDetails).at(-1)?.query.indexingDate).toBe('now')
})

test('changes during a request lead to one more request after it, and none is aborted', async () => {
  const { person, api, live } = await openFiles({ date: 'now' })
  await seeNames('projects', 'odd', 'loose.mov')
  const waiting: (() => void)[] = []
  const one = EntrySummary.parse(folder('/later'))
  const page = { elements: [], page: 1, total: 0, size: 500, sort: 'size', direction: 'desc' as const }
  const list = { ...page, indexingDate: today, cursor: null }
  api.answer(
    answer(
      contentsOfFolder,
      () =>
        new Promise((done) =>
          waiting.push(() => done({ folders: { ...list, elements: [one], total: 1 }, files: list })),
        ),
    ),
  )
  live.send('changed', change)
  await waitFor(() => expect(waiting).toHaveLength(1))
  for (const _ of [1, 2, 3]) live.send('changed', change)
  await new Promise((done) => setTimeout(done, 50))
  expect(waiting).toHaveLength(1)
  waiting[0]?.()
  await seeNames('later')
  await waitFor(() => expect(waiting).toHaveLength(2))
  await person.see('later')
})

test('the page of a folder has the badge of its storage', async () => {
  const live = storagesWith(configuredStorage(1, { live: liveState }))
  const { person } = await openFiles({}, films(), answer(storages, live))
  await person.press('Live', 'button')
  await person.see('Help: Live storages')
})
