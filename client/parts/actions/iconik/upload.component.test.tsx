import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type IconikCollection, iconikCollections, type IconikStorage, iconikStorages } from '#events/actions/iconik.ts'
import { planAction, startPlan } from '#events/actions/plans.ts'
import { searchSizes } from '#events/search/calls.ts'
import { noFilters } from '#events/search/filters.ts'
import { ActionButton } from '#client/parts/actions/ActionButton.tsx'
import { type ActionTarget, targetOfEntries } from '#client/parts/actions/actionTarget.ts'
import { planAnswers, planOf } from '#client/testing/actions/plans.ts'
import { entry } from '#client/testing/examples.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { draw, type Options } from '#client/testing/render.tsx'
import { upload } from './iconikActions.ts'
import { UploadWizard } from './UploadWizard.tsx'

/** A file of 1 KiB, a folder, and a file on a bucket of 2 KiB. */
const film = entry('/film.mov', { fullPath: '/mnt/1/film.mov' })
const raw = entry('/raw', { fullPath: '/mnt/1/raw', isDirectory: true, size: 4_096 })
const object = entry('/song.wav', { volumeId: 4, size: 2_048, fullPath: 's3://4/song.wav' })
const films = targetOfEntries([film], '2026-03-01')

const collection = (id: string, title: string, path = ''): IconikCollection => ({ id, title, path })
const storage = (id: string, name: string, method: string, mountPoint = ''): IconikStorage => ({
  id,
  name,
  method,
  mountPoint,
})
const collections = [
  collection('c1', 'Films', ''),
  collection('c2', 'Rushes', 'Films/Rushes'),
  collection('c3', 'Rushes', 'Songs/Rushes'),
]
const storages = [
  storage('s1', 'Bucket', 'S3'),
  storage('s2', 'Gateway', 'FILE', '/mnt/1'),
  storage('s3', 'Old server', 'FTP'),
  storage('s4', 'Second bucket', 'S3'),
]

async function openWizard(target: ActionTarget = films, { answers = [], ...options }: Options = {}) {
  let closed = 0
  const opened = await draw(<UploadWizard target={target} onClose={() => (closed += 1)} />, {
    ...options,
    answers: [...planAnswers, answer(iconikCollections, collections), answer(iconikStorages, storages), ...answers],
  })
  return { ...opened, closed: () => closed }
}

async function openReview(target?: ActionTarget, options?: Options) {
  const opened = await openWizard(target, options)
  await opened.person.choose('Storage', 'Bucket')
  await opened.person.press('Next')
  await opened.person.see('Files')
  return opened
}

const shownOptions = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

test('files are uploaded to a storage, without a collection by default', async () => {
  const { person, api, closed } = await openWizard(targetOfEntries([film, raw, object], '2026-03-01'))
  await person.see('2 items (6.00 KiB) are ignored. Only files of file storages can be uploaded.')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.choose('Storage', 'Bucket')
  await person.press('Next')
  await person.see('CollectionNoneStorageBucket (S3)')
  await person.see('Files2')
  await person.press('Start')
  await person.see('A job for Iconik is now running.')
  const payload = { collectionId: null, storageId: 's1', storageType: 'S3', dataIntellPaths: ['/mnt/1/film.mov'] }
  expect(api.inputs(planAction).map(({ body }) => body)).toEqual([{ jobType: 'ICONIK_UPLOAD', payload }])
  expect(api.inputs(startPlan)).toMatchObject([{ params: { id: 5 } }])
  expect(screen.getByRole('link', { name: 'See the jobs' }).getAttribute('href')).toBe('/settings/jobs')
  expect(closed()).toBe(1)
})

test('a collection is selected by its path, as titles repeat', async () => {
  const { person, api } = await openWizard()
  await person.pick('Collection', 'Songs/Rushes')
  await person.choose('Storage', 'Bucket')
  await person.press('Next')
  await person.see('CollectionSongs/Rushes')
  await person.see('Files2')
  expect(api.inputs(planAction)).toMatchObject([{ body: { payload: { collectionId: 'c3' } } }])
})

test('storages are grouped by type, and those that take no uploads cannot be chosen', async () => {
  const { person } = await openWizard()
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Storage' })
  const groups = [...select.querySelectorAll('optgroup')].map(({ label, children }) => [
    label,
    ...[...children].map(({ textContent }) => textContent),
  ])
  expect(groups).toEqual([
    ['FILE', 'Gateway'],
    ['FTP (takes no uploads)', 'Old server'],
    ['S3', 'Bucket', 'Second bucket'],
  ])
  expect([...select.options].find(({ text }) => text === 'Old server')?.disabled).toBe(true)
  await person.choose('Storage', 'Gateway')
  await person.see('Files below /mnt/1 are registered where they are, without an upload.')
})

test('among 6,000 collections one is found by a part of its path, and equal paths are distinguished', async () => {
  const many = Array.from({ length: 6_000 }, (_, i) => collection(`c${i}`, 'Rushes', `Project ${i % 5_999}/Rushes`))
  const { person } = await openWizard(films, { answers: [answer(iconikCollections, many)] })
  const field = await screen.findByLabelText('Collection', { selector: 'input' })
  await person.pressAt(field)
  await screen.findByRole('option', { name: 'None' })
  expect(shownOptions().filter((text) => text?.includes('Rushes'))).toHaveLength(99)
  await person.fill(field, 'project 4321/')
  await person.pressAt(await screen.findByRole('option', { name: 'Project 4321/Rushes' }))
  await expect.poll(() => (field as HTMLInputElement).value).toBe('Project 4321/Rushes')
  await person.fill(field, 'project 0/')
  await screen.findByRole('option', { name: 'Project 0/Rushes (c5999)' })
  await screen.findByRole('option', { name: 'Project 0/Rushes (c0)' })
})

test('all results of a search are uploaded, if they are files of local file storages', async () => {
  const filters = { ...noFilters, extension: ['mov'] }
  const search = { filters, isDirectory: false }
  const target = { selection: search, indexingDate: undefined, entries: [], totals: { count: 12, size: 4_096 } }
  const { person, api } = await openReview(target, { answers: [answer(searchSizes, { count: 10, size: 1_024 })] })
  await person.see('2 items (3.00 KiB) are ignored. Only files of local file storages can be uploaded.')
  expect(api.inputs(searchSizes)).toMatchObject([{ query: { volumeId: [1] } }])
  expect(api.inputs(planAction)).toMatchObject([
    { body: { jobType: 'ICONIK_UPLOAD_SEARCH_RESULT', payload: { ...search, storageId: 's1', storageType: 'S3' } } },
  ])
})

test('folders alone lead no further', async () => {
  const { person } = await openWizard(targetOfEntries([raw], undefined))
  await person.choose('Storage', 'Bucket')
  expect(await person.isDisabled('Next')).toBe(true)
})

test('lists that cannot be loaded are named, with the error of Iconik and a retry', async () => {
  const title = 'Unable to get the list of storages from Iconik.'
  const refused = refuse(iconikStorages, { message: 'Iconik refuses the token', title, debugMessage: 'HTTP 401' }, 502)
  const { person, api } = await openWizard(films, { answers: [refused] })
  await person.see(title)
  await person.press('Show error details')
  await person.see('Iconik refuses the token')
  await person.see('HTTP 401')
  await person.press('Hide error details')
  api.answer(answer(iconikStorages, storages))
  await person.press('Retry')
  await person.choose('Storage', 'Bucket')
  expect(await person.isDisabled('Next')).toBe(false)
})

test('without collections, files can be uploaded to a storage', async () => {
  const failed = refuse(iconikCollections, { message: String(iconikCollections.failure) })
  const { person } = await openReview(films, { answers: [failed] })
  await person.see('CollectionNone')
})

test('an Iconik that is not configured is reported with the settings to change', async () => {
  const message = 'Iconik is not configured. Set it in the settings.'
  const answers = [iconikCollections, iconikStorages].map((list) => refuse(list, { message }, 409))
  const { person } = await openWizard(films, { answers })
  await person.see(message)
  expect(await person.isDisabled('Next')).toBe(true)
})

test('very many files are warned about, as Iconik limits requests', async () => {
  const { person } = await openReview(films, { answers: [answer(planAction, planOf({ files: 20_000 }))] })
  await person.see('20,000 files take at least 1 h 56 min.')
})

test('a job that cannot be started is reported', async () => {
  const failed = refuse(startPlan, { message: String(startPlan.failure) })
  const { person, closed } = await openReview(films, { answers: [failed] })
  await person.press('Start')
  await person.see('Something went wrong while trying to start the Iconik job. Please try again.')
  expect(closed()).toBe(1)
})

test('the icon needs the right to upload, and the bundle', async () => {
  const iconIn = async (options: Options) => {
    await draw(
      <div role="toolbar">
        <ActionButton action={upload} target={() => films} />
      </div>,
      options,
    )
    return within(await screen.findByRole('toolbar')).queryByRole('button', { name: 'Upload Files' }) !== null
  }
  expect(await iconIn({ roles: ['ROLE_ICONIK_UPLOAD'] })).toBe(true)
  expect(await iconIn({ roles: ['ROLE_SODA_TRANSFER'] })).toBe(false)
  expect(await iconIn({ bundles: ['soda'] })).toBe(false)
})
