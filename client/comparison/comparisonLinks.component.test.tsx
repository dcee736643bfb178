import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { contentsOfFolder, filesSince, foldersSince } from '#events/folders/browse.ts'
import { folderDetails, folderStatistics } from '#events/folders/calls.ts'
import { projects } from '#events/projects/calls.ts'
import { reports } from '#events/reports/calls.ts'
import { storages } from '#events/storages.ts'
import { entry, today } from '#client/testing/examples.ts'
import { answer, hold } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { defaultAnswers, monthAgo, weekAgo } from './testing/differences.ts'

const links = () => screen.getAllByRole('link', { name: 'Compare' }).map((link) => link.getAttribute('href'))
const seeLink = (href: string) => waitFor(() => expect(links()).toContain(href))
const cuts = entry('/cuts', { isDirectory: true, numberOfFiles: 2, numberOfFolders: 0 })
const noStorages = answer(storages, {
  elements: [],
  startCursor: null,
  endCursor: null,
  hasNextPage: false,
  hasPreviousPage: false,
  size: 1_000,
  sort: 'CREATED_AT',
  direction: 'desc',
  indexingDate: today,
})

const openScreen = (address: string) =>
  open(address, {
    answers: [
      ...defaultAnswers,
      answer(folderDetails, { ...cuts, largest: [] }),
      ...[folderStatistics, contentsOfFolder, filesSince, foldersSince].map(hold),
    ],
  })

test('folder analytics link to the comparison of their folder and date', async () => {
  await openScreen('/folders?volumeId=1&path=/cuts')
  await seeLink(`/comparison?volumeId=1&path=%2Fcuts&previousDate=${weekAgo}`)
})

test('File Management links to the comparison of all storages, of a folder, and of the date of its last column', async () => {
  await openScreen('/filemanagement')
  await seeLink('/comparison')
  const { person } = await openScreen('/filemanagement?volumeId=1&path=/cuts')
  await seeLink('/comparison?volumeId=1&path=%2Fcuts')
  await person.choose('Last column', 'Delta')
  await seeLink(`/comparison?volumeId=1&path=%2Fcuts&previousDate=${weekAgo}`)
})

test('the palette leads to the comparison of all storages', async () => {
  const found = [noStorages, ...[projects.list, reports.list].map(hold)]
  const { person } = await open('/comparison?volumeId=1', { answers: [...defaultAnswers, ...found], hasShell: true })
  await person.see('Total growth')
  await person.keys('{Control>}k{/Control}')
  await person.see('Commands')
  await person.keys('comparison')
  const command = within(screen.getByRole('dialog')).getByRole('button', { name: /^Comparison/ })
  await person.pressAt(command)
  await waitFor(() => expect(location.pathname + location.search).toBe('/comparison'))
})

test('the snapshot of about 30 days ago is one press away', async () => {
  const { person } = await open('/comparison?volumeId=1', { answers: defaultAnswers })
  await person.press('30 days')
  await waitFor(() => expect(new URLSearchParams(location.search).get('previousDate')).toBe(monthAgo))
})
