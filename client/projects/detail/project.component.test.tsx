import { screen, waitFor, within } from '@testing-library/dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { searchMedia } from '#events/media/found.ts'
import { type Project, projects } from '#events/projects/calls.ts'
import { statements } from '#events/projects/statements.ts'
import { today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { exampleProject, filmsShare, gold, KiB, projectAnswers } from '#client/testing/exampleProject.ts'

// Recharts warns that charts have no size here.
beforeEach(() => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return () => warnings.mockRestore()
})

const openProject = (project = exampleProject(), ...answers: FakeAnswer[]) =>
  open('/project/1', { answers: [...projectAnswers(project), ...answers] })

/** Text of the card with a title. */
const card = (title: string) =>
  [...document.querySelectorAll('main section, section')]
    .findLast((section) => section.querySelector('h2')?.textContent === title)
    ?.textContent?.replaceAll('\u00a0', ' ')
const seeCard = (title: string, what: RegExp) => waitFor(() => expect(card(title)).toMatch(what))
const hrefOf = async (name: string | RegExp) =>
  decodeURIComponent((await screen.findByRole('link', { name })).getAttribute('href') ?? '').replaceAll('+', ' ')
const address = () => location.pathname + location.search

test('a project shows its figures, storages, cost and insights', async () => {
  await openProject()
  await seeCard('Details', /The winter season70\.0 % used140 KiB of 200 KiB.*Size140 KiB.*Allocated space200 KiB/)
  expect(card('Details')).toMatch(/Number of files5.*Number of folders2/)
  expect(card('Size by storage')).toMatch(/70\.0 %.*Films100 KiB.*Archive40\.0 KiB.*Space Left60\.0 KiB/)
  expect(card('Project cost')).toMatch(/\$7\.95 per month.*Films\$7\.95.*Without a price book: Archive\./)
  await seeCard(
    'Insights',
    /60\.0 KiB in 2 files with duplicates, 42\.8 %[^;]*; 40\.0 KiB reclaimable\. Keeping one copy of each could save at least \$2\.38 per month/,
  )
  expect(card('Insights')).toMatch(/30\.0 KiB in 1 file not accessed for 6 months.*\$2\.38 per month/)
  expect(card('Films')).toMatch(/1 folder, 100 KiB, 4 files.*\/mnt\/raw\/alpine/)
  const captions = () => [...document.querySelectorAll('figcaption')].map(({ textContent }) => textContent)
  await waitFor(() => expect(captions()).toContain(`Size: 140 KiB on ${today}.`))
})

test('figures lead to the files and folders that they count', async () => {
  await openProject()
  expect(await hrefOf('Show files')).toBe('/search?volumeAndPath=1:/raw/alpine&volumeAndPath=2:/alpine')
  expect(await hrefOf('Files of Films')).toBe('/search?volumeId=1&startingPath=/raw/alpine')
  expect(await hrefOf('60.0 KiB in 2 files')).toContain('onlyDuplicates=true')
  expect(await hrefOf('30.0 KiB in 1 file')).toContain('lastAccessBefore=')
  expect(await hrefOf('Folder analytics of /raw/alpine')).toBe('/folders?volumeId=1&path=/raw/alpine')
  expect(await hrefOf('File Management of /alpine')).toBe('/filemanagement?volumeId=2&path=/alpine')
  expect(await hrefOf('Edit')).toBe('/project/edit/1')
})

test('hours of video have a price once all storages of the project have one', async () => {
  const media = { files: 1_200, read: 1_092, duration: 7.95 * 3600 }
  const { api } = await openProject(undefined, answer(searchMedia, media))
  await seeCard('Details', /Video and audio8 hours, 91\.0 % read$/)
  expect(api.inputs(searchMedia).at(-1)?.query).toMatchObject({ volumeAndPath: ['1:/raw/alpine', '2:/alpine'] })
  await openProject(exampleProject({ projectShares: [filmsShare()] }), answer(searchMedia, media))
  await seeCard('Details', /Cost per hour\$1\.00 per month$/)
  await openProject(exampleProject({ projectShares: [filmsShare()] }), answer(searchMedia, { ...media, read: 900 }))
  await seeCard('Details', /audio8 hours, 75\.0 % read$/)
})

test('this browser remembers the cost interval', async () => {
  const { person } = await openProject()
  await person.choose('Cost interval', 'Yearly')
  await seeCard('Project cost', /\$95\.37 per year/)
  expect(Object.values({ ...localStorage })).toContain('Yearly')
})

const drawn = () => {
  const legend = document.querySelector('ul[aria-label="Storages of the chart"]')
  const svg = legend?.parentElement?.querySelector('svg')
  const texts = (of: string) => [...(svg?.querySelectorAll(of) ?? [])].map(({ textContent }) => textContent)
  return {
    rings: [...(svg?.querySelectorAll('g') ?? [])].map((ring) =>
      [...ring.querySelectorAll('title')].map(({ textContent }) => textContent),
    ),
    labels: texts('text:not([data-level])'),
    usage: texts('text[data-level]')[0],
    level: svg?.querySelector('text[data-level]')?.getAttribute('data-level'),
    legend: [...(legend?.querySelectorAll('button > span:last-child') ?? [])].map(({ textContent }) => textContent),
  }
}

const storages = ['Films', 'Archive']
const over = ['Over the allocated size']
const withSpace = [...storages, 'Space Left']
test.for([
  [79, '79.0 %', 'ok', [withSpace], ['56.4 %', '22.5 %', '20.9 %']],
  [80, '80.0 %', 'attention', [withSpace], ['57.1 %', '22.8 %', '20.0 %']],
  [99, '99.0 %', 'attention', [withSpace], ['70.7 %', '28.2 %', '0.9 %']],
  [100, '100.0 %', 'critical', [storages], ['71.4 %', '28.5 %']],
  [250, '250.0 %', 'critical', [storages, over, over], ['71.4 %', '28.5 %']],
  [500, '500.0 %', 'critical', [over, over, over, over, over], ['71.4 %', '28.5 %']],
] as const)('at %i % the rings show the usage, and have the shares of the legend', async (shown) => {
  const [percent, usage, level, rings, legend] = shown
  await openProject(exampleProject({ allocatedSize: Math.floor((140 * KiB) / (percent / 100)) }))
  const labels = percent === 500 ? [] : legend.filter((share) => Number.parseFloat(share) > 5)
  await waitFor(() => expect(drawn()).toEqual({ rings, usage, level, legend, labels }))
})

test('the legend hides a storage, and the shares are computed from the rest', async () => {
  const { person } = await openProject()
  await waitFor(() => expect(drawn()).toMatchObject({ rings: [withSpace], legend: ['50.0 %', '20.0 %', '30.0 %'] }))
  const legend = within(screen.getByRole('list', { name: 'Storages of the chart' }))
  await person.pressAt(legend.getByTitle('Archive'))
  const rest = { rings: [['Films', 'Space Left']], legend: ['62.5 %', '', '37.5 %'], labels: ['62.5 %', '37.5 %'] }
  await waitFor(() => expect(drawn()).toMatchObject(rest))
})

test('a project whose only folder is gone has no files', async () => {
  const nothing = { sizeOfFiles: 0, numberOfFiles: 0 }
  const gone = filmsShare(nothing, { ...nothing, isGone: true })
  const { person } = await openProject(exampleProject({ ...nothing, projectShares: [gone] }))
  await seeCard('Films', /Gone/)
  expect(card('Details')).toMatch(/0\.0 %.*Size0 B/)
  await person.see('Excel report')
  await person.seeNo('Show files')
})

test('a project without folders leads to its form', async () => {
  await openProject(exampleProject({ projectShares: [] }))
  expect(await hrefOf('Add folders')).toBe('/project/edit/1')
})

const price = (storageClass: string, price: number) => ({ storageClass, price, sizeOfFiles: 9 * KiB ** 3 })
const GiB = KiB ** 3

test('files in storage classes are priced and stated by class', async () => {
  const prices = [price('STANDARD', 24), price('GLACIER', 6), price('DEEP_ARCHIVE', 1)]
  const bucket = filmsShare({
    classes: { STANDARD: GiB, GLACIER: 2 * GiB },
    sizeOfFiles: 3 * GiB,
    storagePrice: { ...gold, description: 'Cloud', price: 9, classes: prices },
  })
  const days = { month: '2026-02', lastDay: '2026-02-28', daysWithoutData: null }
  const month = { ...days, averageBytes: 3 * GiB, costs: [{ currencySymbol: '$', cost: 3 }] }
  const state = { closedAt: null, isComplete: false }
  const line = { volumeId: 1, volumeName: 'Bucket', currencySymbol: '$' }
  const lines = [
    { ...line, storageClass: 'GLACIER', averageBytes: 2 * GiB, cost: 1 },
    { ...line, storageClass: '', averageBytes: GiB, cost: 2 },
    { volumeId: 2, volumeName: 'Archive', storageClass: null, currencySymbol: null, averageBytes: 0, cost: null },
  ]
  const { person } = await openProject(
    exampleProject({ projectShares: [bucket] }),
    answer(statements.list, [{ ...month, ...state }]),
    answer(statements.find, { ...month, ...state, lines }),
  )
  // 24 / 12 + 2 × 6 / 12, and not three times the average.
  await seeCard('Project cost', /\$3\.00 per month/)
  expect(screen.getByTitle('Cloud: STANDARD $24.00 per GiB per year, GLACIER $6.00 per GiB per year')).toBeTruthy()
  await person.press('Statements', 'tab')
  const table = await screen.findByRole('table', { name: 'Statement of February 2026' })
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent),
  )
  expect(rows).toEqual([
    ['Storage', 'Class', 'Daily average', 'Cost'],
    ['Bucket', 'GLACIER', '2.00 GiB', '$1.00'],
    ['Bucket', 'No storage class', '1.00 GiB', '$2.00'],
    ['Archive', '-', '0 B', '-'],
  ])
  await person.see('Days of this month are still being counted.')
})

test('the timeline lists the changes of the folders, the newest first', async () => {
  const { person } = await openProject()
  await person.press('Timeline', 'tab')
  await waitFor(() => expect(address()).toBe('/project/1?tab=timeline'))
  await seeCard('Folder changes', /2 changes.*ana− Archive \/old.*admin\+ Films \/raw\/alpine\+ Archive \/alpine/)
})

test('a month is stated and downloaded', async () => {
  const csv = { name: 'Alpine-2026-03.csv', text: 'Storage' }
  const { person, saved } = await openProject(exampleProject(), answer(statements.csv, csv))
  await person.press('Statements', 'tab')
  await seeCard(
    'March 2026',
    /\$7\.95 for an average of 100 KiB, March 1–26.*11 days have no data for this project.*Films100 KiB\$7\.95/,
  )
  await person.press('March 2026 as CSV')
  await waitFor(() => expect(saved).toEqual([csv]))
})

test('recipients of statements are checked and saved', async () => {
  const { person, api } = await openProject(exampleProject(), answer(statements.updateRecipients))
  await person.press('Statements', 'tab')
  await person.write('Email addresses', 'nobody')
  await person.press('Save recipients')
  await person.see('Each address must be a well-formed email address')
  expect(api.inputs(statements.updateRecipients)).toEqual([])
  await person.write('Email addresses', 'ana@example.com\nben@example.com')
  await person.press('Save recipients')
  await person.see('The recipients of the statements were updated')
  const body = { addresses: ['ana@example.com', 'ben@example.com'] }
  expect(api.inputs(statements.updateRecipients)).toMatchObject([{ params: { id: 1 }, body }])
})

test('the reports are downloaded', async () => {
  const { person, api, saved } = await openProject(
    exampleProject(),
    answer(projects.report, ({ query: { type } }) => ({ name: `Alpine-${type}.xlsx`, text: 'x' })),
  )
  for (const label of ['Overview', 'Folder list']) {
    await person.press('Excel report')
    await person.press(label, 'menuitem')
    await waitFor(() => expect(saved.at(-1)?.name).toContain(label === 'Overview' ? 'OVERVIEW' : 'FOLDERLIST'))
  }
  expect(api.inputs(projects.report).map(({ params }) => params.id)).toEqual([1, 1])
})

test('a history that cannot be read says so in its card, and is read again', async () => {
  const { person, api } = await openProject(
    exampleProject(),
    refuse(projects.history, { message: 'The store is away' }),
  )
  await seeCard('Size history', /The store is away.*Retry/)
  api.answer(answer(projects.history, []))
  await person.press('Retry')
  await waitFor(() => expect(card('Size history')).not.toContain('The store is away'))
})

test('a project that is still counted says so', async () => {
  const { person } = await openProject(exampleProject({ loadingReport: true } satisfies Partial<Project>))
  await person.see('Figures are still being counted')
})

test('a project is deleted after a question', async () => {
  const { person, api } = await openProject(
    exampleProject(),
    answer(projects.remove),
    answer(projects.list, pageWith([])),
  )
  await person.press('Delete')
  await person.see('Are you sure you want to delete the project Alpine?')
  await person.see(/Its statements stay in “All statements” .* with the costs up to yesterday\./)
  expect(api.inputs(projects.remove)).toEqual([])
  await person.press('Delete project')
  await person.see('Project deleted successfully')
  await waitFor(() => expect(address()).toBe('/projects'))
  expect(api.inputs(projects.remove)).toMatchObject([{ params: { id: 1 } }])
})
