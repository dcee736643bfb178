import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { EntrySummary } from '#events/entries.ts'
import { partOfFolder } from '#events/folders/browse.ts'
import { priceBooks } from '#events/price-books.ts'
import { scanVolumes } from '#events/scans/calls.ts'
import { schedules } from '#events/schedules/calls.ts'
import { type FileStorage, type FileStorageDraft, fileStorages } from '#events/sources/fileStorages.ts'
import { folderCheck } from '#events/sources/folderCheck.ts'
import { rulePreview } from '#events/scans/rulePreview.ts'
import { entry, fileStorage, today } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer, pageWith, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { builtIn, emptyDataTab, fineFolder, priceBookOf } from '#client/settings/testing.ts'

const warmPrice = { id: 1, description: 'Warm', currencySymbol: '€', price: 0.5 }

/** `/mnt` holds `films`, which holds `rough`; other folders do not exist. */
const checkFolder = answer(folderCheck, ({ body: { path } }) => {
  const folders = { '/mnt': ['films'], '/mnt/films': ['rough'], '/mnt/films/rough': [] }[path]
  return folders ? { ...fineFolder, folders } : { ...fineFolder, reason: `${path} does not exist` }
})
const storageOf = (draft: FileStorageDraft, id: number): FileStorage =>
  fileStorage(id, draft.name, {
    ...draft,
    type: 'crawl.files',
    server: builtIn,
    storagePrice: draft.storagePrice && { ...warmPrice, id: draft.storagePrice.id },
  })
const warm = priceBookOf({ description: 'Warm', currencySymbol: '€', price: 0.5, classPrices: [] }, 1)
const films = fileStorage(1, 'Films', { storagePrice: warmPrice })

const openData = (rows: FileStorage[] = [], ...answers: FakeAnswer[]) =>
  open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(fileStorages, rows, { rowOf: storageOf }),
      ...tableOf(priceBooks, rows.length > 0 ? [warm] : [], { rowOf: priceBookOf }),
      checkFolder,
      answer(scanVolumes, { jobId: 3 }),
      ...answers,
    ],
  })
type Person = Awaited<ReturnType<typeof openData>>['person']
/** Opens the wizard, which needs no choice of an agent. */
const begin = async (person: Person) => {
  await person.press('Add storage')
  await person.press(/^Folder/)
  await screen.findByRole('region', { name: 'Configure File Storage' })
}
const named = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const problems = async () => (await screen.findByRole('list', { name: 'Problems with this folder' })).textContent
const cells = async (name: RegExp) => {
  const table = await screen.findByRole('table', { name: 'On-Premises' })
  const row = await within(table).findByRole('row', { name })
  return [...row.querySelectorAll('td')].map(({ textContent }) => textContent)
}

test('no storage is set up at first, and a new one is scanned by the agent that is there', async () => {
  const { person } = await openData()
  await person.see('No file storage is set up yet. Add the first one, then scan it.')
  await person.see("No credentials yet. Shares with guest access don't need any.")
  await person.press('Add storage')
  await person.see(
    /What do you want to scan\?FolderA disk.*SMB share.*NFS export.*Amazon S3.*Azure.*Dropbox.*PowerScale.*P5/,
  )
  await person.press(/^Folder/)
  await person.see('Configure File Storage')
  await person.seeNo('Select Agent')
  await waitFor(() => expect(document.activeElement).toBe(named('Path')))
  expect(await person.isDisabled('Next')).toBe(true)
})

test('a folder is typed or browsed, and what is wrong with it is listed', async () => {
  const { person, api } = await openData()
  await begin(person)
  await person.write('Path', '/mnt/nothing')
  await waitFor(async () => expect(await problems()).toBe('/mnt/nothing does not exist'))
  await person.write('Path', '/mnt/films/old/rough')
  await person.press('Browse')
  await within(await screen.findByRole('list', { name: 'Folders in /mnt/films' })).findByText('rough')
  expect(await problems()).toBe('/mnt/films/old/rough does not exist')
  await person.write('Path', '/mnt/films/rough')
  await person.see('No subfolders')
  await person.press('/mnt/films')
  await person.press('rough')
  await person.press('/mnt/films')
  const path = screen.getByRole<HTMLInputElement>('textbox', { name: 'Path' })
  await waitFor(() => expect(path.value).toBe('/mnt/films'))
  api.answer(
    answer(folderCheck, { ...fineFolder, isSilent: true, isEmpty: true, coveredBy: 'Disk', covers: ['Shows', 'Ads'] }),
  )
  await person.write('Path', '/srv')
  await waitFor(async () =>
    expect(await problems()).toBe(
      'The agent does not respond, so the folder could not be checked' +
        'The folder is empty: maybe its file system is not mounted' +
        'It is already covered by the storage Disk' +
        'This folder contains the storages "Shows", "Ads". Their files would be counted twice.',
    ),
  )
  api.answer(answer(folderCheck, { ...fineFolder, folders: ['a'], hasMore: true }))
  await person.write('Path', '/mnt/many')
  await person.see('The first 1 folders. Type the path of another one.')
  api.answer(fail(folderCheck))
  await person.write('Path', '/mnt/gone')
  await person.see('Unable to look into the folder')
})

test('snapshots in a folder are named, and ignored by one button', async () => {
  const { person, api } = await openData()
  await begin(person)
  api.answer(answer(folderCheck, { ...fineFolder, folders: ['~snapshot'], snapshotRules: ['**/~snapshot'] }))
  await person.write('Path', '/mnt/x')
  await waitFor(async () =>
    expect(await problems()).toBe('It contains snapshots, whose files would be counted again. Ignore **/~snapshot'),
  )
  await person.press('Ignore snapshots')
  await waitFor(async () => expect(await problems()).toBe(''))
  expect(screen.queryByRole('button', { name: 'Ignore snapshots' })).toBeNull()
})

test('a folder with reflinks is a hint, which is nothing to confirm', async () => {
  const { person, api } = await openData()
  await begin(person)
  api.answer(answer(folderCheck, { ...fineFolder, folders: ['a'], sharesSpace: true }))
  await person.write('Name', 'Films')
  await person.write('Path', '/mnt/x')
  await waitFor(async () => expect(await problems()).toMatch('Copies may share their space on disk'))
  await person.press('Next')
  await person.see('No costs')
})

test('a local folder is set up with a new price book and a schedule', async () => {
  const { person, api, live } = await openData([], answer(schedules.create, { id: 1 }))
  await begin(person)
  await person.write('Name', 'Films')
  await person.write('Path', '/mnt/films')
  await person.see('All threads work across the whole tree')
  await person.see('An agent scans up to two storages at a time and splits its threads between them')
  await person.press('Next')
  await person.see('No costs')
  expect(await person.isDisabled('Next')).toBe(false)
  await person.press('New price book')
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  await person.press('Cancel price book creation')
  await screen.findByRole('button', { name: 'Next' })
  await person.press('New price book')
  await person.write('Name', 'Warm')
  await person.write('Currency Symbol', '€')
  await person.write('Storage Price (GB/Year)', '0.5')
  await person.press('Add price book')
  await person.press('Next')
  await person.see(/NameFilmsPath\/mnt\/filmsScan TypeFastMount TypeLocalAgentBuilt-in agent.*Warm/)
  await person.press('Next')
  await person.press('Scan now', 'checkbox')
  await person.press('Repeat nightly', 'checkbox')
  await person.press('Save')
  await person.see('Films was added')
  await person.closed()
  live.send('changed', { type: 'changed', topics: ['sources'] })
  expect(await cells(/Films/)).toEqual([
    '1',
    'Films',
    '/mnt/films',
    'Fast',
    'Local',
    'Built-in agent',
    'Warm',
    'None',
    'None',
    'Scan',
  ])
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { name: 'Films nightly', cron: '0 0 1 * * ?', jobClass: 'SCAN_VOLUMES', payload: { volumes: [1] } } },
  ])
  expect(api.inputs(scanVolumes)).toEqual([])
})

test('a folder without costs is saved from the step that describes it, after its check', async () => {
  const { person, api } = await openData()
  await begin(person)
  await person.write('Name', 'Films')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  await person.write('Path', '/mnt/films')
  await person.press('Save')
  await person.see('Films was added')
  await person.closed()
  expect(api.inputs(folderCheck).at(-1)).toMatchObject({ body: { path: '/mnt/films' } })
  expect(api.inputs(fileStorages.create)).toMatchObject([{ body: { name: 'Films', storagePrice: null } }])
})

test('storages are scanned from their row, or all of them', async () => {
  const { person, api } = await openData([films, fileStorage(2, 'Shows')])
  await person.press('Scan Shows')
  await person.see('1 of 2 storages selected')
  await person.see('Keep other storages in the snapshot')
  await person.press('Scan 1 storage')
  await person.see('Scanner for the job(s) is now running.')
  await person.closed()
  expect(api.inputs(scanVolumes)).toMatchObject([{ query: { cloneIndex: true }, body: [2] }])
  await person.pressAt(screen.getAllByRole('button', { name: 'Scan All' })[0]!)
  await person.see('2 of 2 storages selected')
  await person.press('Cancel')
  await person.closed()
})

/** Answers the preview of rules: `**\/tmp` matches 12 files in a folder, `/renders` one file. */
const preview = answer(rulePreview, ({ body: { kind, rules } }) =>
  kind === 'ignored'
    ? { indexingDate: today, files: 12 * rules.length, folders: rules.length, size: 12_000 * rules.length }
    : { indexingDate: today, files: rules.length, folders: 0, size: 5_000 * rules.length },
)
const renders = EntrySummary.parse(entry('/renders', { isDirectory: true, numberOfFiles: 1, numberOfFolders: 0 }))

test('rules are previewed while they are written, chosen from folders, and saved with the storage', async () => {
  const folders = answer(partOfFolder, { ...pageWith([renders]), indexingDate: today, cursor: null })
  const { person, api } = await openData([films], preview, folders)
  await person.press('Edit Films')
  await person.write('Name', ' ')
  await person.press('Save storage')
  await person.see("Name can't be empty")
  await person.write('Name', 'Films')
  await person.write('Ignored Paths', '**/tmp')
  await person.see(`**/tmp: 12 files and 1 folder of the snapshot of ${today}, 11.7 KiB`)
  await person.write('Ignored Paths', '**/tmp{Enter}')
  await person.write('Ignored Paths', '**/tmp/')
  await person.press('Add ignored path')
  const chips = () => within(screen.getByRole('list', { name: 'Ignored Paths' })).getAllByRole('listitem')
  expect(chips().map(({ textContent }) => textContent)).toEqual(['**/tmp'])
  await person.press('Choose index folder only path from folders')
  await person.press('Add /renders')
  await person.see(`These paths: 1 file of the snapshot of ${today}, 4.88 KiB; their folders stay`)
  await person.press('Save storage')
  await person.see('Films was updated')
  await person.closed()
  await waitFor(async () => expect((await cells(/Films/)).slice(7, 9)).toEqual(['**/tmp', '/renders']))
  expect(api.inputs(fileStorages.update)).toMatchObject([
    { body: { volumeIgnoreRules: [{ path: '**/tmp' }], volumeIndexFolderOnlyPaths: [{ path: '/renders' }] } },
  ])
})

test('policies change files of a storage once that is selected', async () => {
  const { person, api } = await openData([films], preview)
  await person.press('Edit Films')
  await person.see(/AGENT_MAY_CHANGE/)
  await person.choose('Policies may', 'Also delete files from quarantine')
  await person.press('Save storage')
  await person.see('Films was updated')
  expect(api.inputs(fileStorages.update)).toMatchObject([{ body: { policyActions: 'delete' } }])
})

test('rules of a storage that was not scanned cannot be previewed', async () => {
  const none = answer(rulePreview, { indexingDate: null, files: 0, folders: 0, size: 0 })
  const { person } = await openData([films], none)
  await person.press('Edit Films')
  await person.see('There is no snapshot of this storage yet, so nothing can be previewed.')
  expect(await person.isDisabled('Choose ignored path from folders')).toBe(true)
})

test('a storage is deleted once that is confirmed', async () => {
  const { person } = await openData([films])
  await person.press('Delete Films')
  await person.see(
    'This process will delete the configuration and the indexed data for the last index. It could take several minutes.',
  )
  await person.press('Delete storage')
  await person.see('Films was deleted')
  await person.see('No file storage is set up yet.')
})
