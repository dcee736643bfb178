import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type MetricFolder, metricFolders } from '#events/overview/metrics.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { storagesOf } from '../testing.ts'
import { MetricsSection } from './MetricsSection.tsx'

const folder = (path: string, bytes: number | null = 2_048): MetricFolder => ({
  storageId: 7,
  storageName: 'Films',
  path,
  bytes,
})

async function show(chosen: MetricFolder[]) {
  const answers = [
    answer(metricFolders.list, () => chosen),
    answer(metricFolders.choose, ({ body }) => void (chosen = body.folders.map(({ path }) => folder(path)))),
    storagesOf([[7, 'Films', 'crawl.files']]),
  ]
  const page = await draw(<MetricsSection />, { answers })
  await page.person.press('Metrics')
  return page
}

test('folders are added by storage and path, shown with their size, and removed', async () => {
  const { person, api } = await show([])
  await person.see('No folders yet. Choose a storage and a path to add one.')
  await person.choose('Storage', 'Films')
  await person.write('Path', '/raw')
  await person.press('Add folder')
  await person.see('/raw was added')
  const table = await screen.findByRole('table', { name: 'Folders in metrics' })
  expect(table.textContent).toContain('Films/raw2.00 KiB')
  api.answer(refuse(metricFolders.choose, { message: 'The server is busy' }, 503))
  await person.press('Remove /raw of Films')
  await person.see(/The server is busy/)
  await person.see('/raw')
})

test('a folder that the newest snapshot lacks has no size, and long lists have pages', async () => {
  const { person } = await show([folder('/gone', null), ...Array.from({ length: 999 }, (_, at) => folder(`/${at}`))])
  await person.see('/gone')
  expect((await screen.findByTitle('Not in the newest snapshot')).textContent).toBe('-')
  expect(screen.getAllByRole('row')).toHaveLength(11)
  await person.see('1,000 folders are the maximum. Remove one to add another.')
  expect(screen.queryByRole('button', { name: 'Add folder' })).toBeNull()
})
