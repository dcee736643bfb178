import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { growingNow } from '#events/feeds/growingNow.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { mostActiveVolumes, storages } from '#events/storages.ts'
import { searchSizes } from '#events/search/calls.ts'
import { configuredStorage, liveState, storagesWith } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, fail } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const folder = { volumeId: 1, volumeName: 'Films', bytesPerMinute: 3 * 2 ** 20, filesPerMinute: 60 }
const openDashboard = (...answers: FakeAnswer[]) =>
  open('/', {
    answers: [
      answer(searchSizes, { count: 0, size: 0 }),
      answer(mostActiveVolumes, []),
      answer(mostActiveProjects, []),
      answer(reportChecks, []),
      answer(storages, storagesWith(configuredStorage(1, { live: liveState }))),
      ...answers,
    ],
  })

test('folders that grow lead to Now, and change with the storages', async () => {
  const growing = answer(growingNow, {
    folders: [
      { ...folder, path: '/renders', owner: 'ana' },
      { ...folder, path: '/proxies', owner: '', bytesPerMinute: 2 ** 20 },
    ],
    asOf: 1,
  })
  const { person, api, live } = await openDashboard(growing)
  const row = await screen.findByRole('link', { name: /renders/ })
  expect(row.textContent).toBe('/rendersFilmsana3.00 MiB/min60 files/min')
  expect(row.getAttribute('href')).toBe('/filemanagement?volumeId=1&path=%2Frenders&date=now')
  expect(screen.getByRole('link', { name: /proxies/ }).textContent).toContain('Unknown owner')
  api.answer(answer(growingNow, { folders: [], asOf: 2 }))
  live.send('changed', { type: 'changed', topics: ['live'] })
  await person.see('Nothing grows right now')
})

test('a failure to read what grows is shown in the card', async () => {
  const { person } = await openDashboard(fail(growingNow))
  await person.see('Unable to fetch what grows now')
})

test('without a followed storage there is no card', async () => {
  const { person, api } = await openDashboard(answer(storages, storagesWith(configuredStorage(1))))
  await person.see('Most Active Projects')
  expect(screen.queryByText('What grows now')).toBeNull()
  await waitFor(() => expect(api.inputs(growingNow)).toEqual([]))
})
