import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { priceBooks } from '#events/price-books.ts'
import { archiwareCredentials, ArchiwareDraft, archiwares } from '#events/sources/archiwares.ts'
import { bucketCredentials, buckets } from '#events/sources/buckets.ts'
import { folderCheck } from '#events/sources/folderCheck.ts'
import { scanVolumes } from '#events/scans/calls.ts'
import { rulePreview } from '#events/scans/rulePreview.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { powerScaleCredentials, PowerScaleDraft, powerScales } from '#events/sources/powerScales.ts'
import { fileStorage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import {
  bucketOf,
  credentialOf,
  emptyDataTab,
  fineFolder,
  powerScaleCredentialOf,
  powerScaleOf,
  priceBookOf,
} from '#client/settings/testing.ts'

const warm = priceBookOf({ description: 'Warm', currencySymbol: '€', price: 0.5, classPrices: [] }, 1)
const noRules = { indexingDate: null, files: 0, folders: 0, size: 0 }
const openData = (...answers: FakeAnswer[]) => openAt('/storages/settings', answers)
const openAt = (address: string, answers: FakeAnswer[]) =>
  open(address, {
    answers: [
      ...emptyDataTab,
      answer(priceBooks.list, pageWith([warm])),
      answer(folderCheck, fineFolder),
      answer(scanVolumes, { jobId: 3 }),
      answer(rulePreview, noRules),
      ...answers,
    ],
  })
type Person = Awaited<ReturnType<typeof openData>>['person']

const dialog = () => within(screen.getByRole('dialog'))
const input = (label: string) => dialog().getByLabelText(label, { selector: 'input' })
const write = async ({ fill }: Person, label: string, text: string) => fill(input(label), text)
const folded = async () => (await screen.findByText('Scan options')).closest('details')!
const pace = { maxLookups: 16, maxEntriesPerSecond: null, quietHours: { from: '22:00', to: '06:00', maxLookups: 4 } }

test('a new file storage has its limits under Scan options, checked, reviewed and sent', async () => {
  const { person, api } = await openData(answer(fileStorages.create, { id: 1 }))
  await person.press('Add storage')
  await person.press(/^Folder/)
  await person.write('Name', 'Films')
  await person.write('Path', '/mnt/films')
  expect((await folded()).open).toBe(false)
  await person.pressAt(await screen.findByText('Scan options'))
  await waitFor(async () => expect((await folded()).open).toBe(true))
  for (const wrong of ['0', '1025', '']) {
    await write(person, 'Maximum concurrent lookups', wrong)
    await write(person, 'Maximum entries per second', '500')
    await person.see('Maximum concurrent lookups must be a whole number from 1 to 1024')
  }
  await write(person, 'Maximum concurrent lookups', '16')
  expect(screen.queryByText('Maximum media files per second')).toBeNull()
  await person.press('Read media files', 'checkbox')
  await write(person, 'Maximum media files per second', '20')
  await person.press('Quiet hours', 'checkbox')
  await write(person, 'From', '22:00')
  await write(person, 'To', 'noon')
  await person.see('Times of day at which scans are slower')
  await write(person, 'To', '22')
  await write(person, 'Maximum concurrent lookups in quiet hours', '17')
  await person.see('To must be a different time than From')
  await write(person, 'To', '6')
  await person.see('Maximum concurrent lookups in quiet hours must be at most 16, the limit outside quiet hours')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.see(/From 22:00 to 06:00 on the next day, in the server's time zone \(.+\)/)
  await write(person, 'Maximum concurrent lookups in quiet hours', '4')
  for (let step = 0; step < 2; step++) await person.press('Next')
  await person.see(
    /lookups16.*entries per second500.*media files per second20.*Quiet hoursFrom 22:00 to 06:00 on the next day.*in quiet hours4/,
  )
  await person.press('Save')
  await person.see('Films was added')
  expect(api.inputs(fileStorages.create)).toMatchObject([
    { body: { pace: { ...pace, maxEntriesPerSecond: 500, maxMediaFilesPerSecond: 20 } } },
  ])
})

test('limits that are set are shown in the edit form, and defaults remove them', async () => {
  const films = fileStorage(1, 'Films', {
    pace,
    storagePrice: { id: 1, description: 'Warm', currencySymbol: '€', price: 0.5 },
  })
  const { person, api } = await openData(answer(fileStorages.list, pageWith([films])), answer(fileStorages.update))
  await person.press('Edit Films')
  expect((await folded()).open).toBe(true)
  await write(person, 'Maximum concurrent lookups', '2')
  await person.press('Name', 'textbox')
  await person.see('Maximum concurrent lookups must be at least 4, the limit in quiet hours')
  await write(person, 'Maximum concurrent lookups', '256')
  await person.press('Quiet hours', 'checkbox')
  await person.press('Save storage')
  await person.see('Films was updated')
  expect(api.inputs(fileStorages.update)).toMatchObject([{ body: { name: 'Films', pace: null } }])
})

test('a bucket, a cluster and an archive have limits of requests', async () => {
  const rushes = bucketOf({ name: 'rushes', description: 'Rushes', type: 'DROPBOX', path: '/' }, 1)
  const days = { fullScanSnapshotExpiresDays: 7, deltaScanSnapshotExpiresDays: 3 }
  const host = { host: 'isilon.example.com', dellPowerScaleCredentials: { id: 1 }, storagePrice: null }
  const renders = powerScaleOf(PowerScaleDraft.parse({ dataintellName: 'Renders', ...host, ...days }), 1)
  const index = { indexId: 'Archive', path: '/', archiwareP5Credential: { id: 1 }, storagePrice: null }
  const tapes = { ...ArchiwareDraft.parse({ name: 'Tapes', ...index }), id: 1, volumeSettingId: 102 }
  const p5 = {
    id: 1,
    name: 'P5',
    username: 'p5',
    url: 'http://p5:8000',
    certificateFingerprint: '',
    isPasswordLost: false,
  }
  const answers = [
    answer(buckets.list, pageWith([rushes])),
    answer(bucketCredentials.list, pageWith([credentialOf({ name: 'Studio', type: 'DROPBOX', url: '' }, 1)])),
    answer(powerScales.list, pageWith([renders])),
    answer(powerScaleCredentials.list, pageWith([powerScaleCredentialOf({ name: 'Cluster', username: 'scan' }, 1)])),
    answer(archiwares.list, pageWith([tapes])),
    answer(archiwareCredentials.list, pageWith([p5])),
    ...[buckets, powerScales, archiwares].map(({ update }) => answer(update)),
  ]
  for (const [section, name, verb, { update }, help] of [
    ['Object Storage', 'Rushes', 'Save bucket', buckets, 'Lower it if the service delays or refuses requests'],
    ['', 'Renders', 'Save storage', powerScales, 'never use more than Dell PowerScale threads'],
    ['Archiware P5 Integration', 'Tapes', 'Save index', archiwares, 'Lower it if the service delays'],
  ] as const) {
    const isArchive = section.startsWith('Archiware')
    const { person, api } = await openAt(isArchive ? '/settings/data' : '/storages/settings', answers)
    if (section) await person.press(section)
    await person.press(`Edit ${name}`)
    expect((await folded()).open).toBe(false)
    await person.pressAt(await screen.findByText('Scan options'))
    await person.see(help)
    await write(person, 'Maximum concurrent requests', '65')
    await person.press(verb)
    await person.see('Maximum concurrent requests must be a whole number from 1 to 64')
    await write(person, 'Maximum concurrent requests', '16')
    await person.press('Quiet hours', 'checkbox')
    await write(person, 'From', '22:00')
    await write(person, 'To', '06:00')
    await write(person, 'Maximum concurrent requests in quiet hours', '4')
    await person.press(verb)
    await person.see(`${name} was updated`)
    await person.closed()
    expect(api.inputs(update)).toMatchObject([{ body: { pace } }])
  }
})

test('a limit that the server refuses is shown at its field', async () => {
  const films = fileStorage(1, 'Films', {
    storagePrice: { id: 1, description: 'Warm', currencySymbol: '€', price: 0.5 },
  })
  const subErrors = [{ field: 'pace.maxLookups', message: 'must be a whole number from 1 to 64' }]
  const { person } = await openData(
    answer(fileStorages.list, pageWith([films])),
    refuse(fileStorages.update, { message: 'Validation errors', subErrors }, 400),
  )
  await person.press('Edit Films')
  await person.press('Save storage')
  await person.see('Maximum concurrent lookups must be a whole number from 1 to 64')
  await waitFor(async () => expect((await folded()).open).toBe(true))
})
