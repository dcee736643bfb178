import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { planAction, startPlan } from '#events/actions/plans.ts'
import { type StorNextMapping, storNextMappings } from '#events/actions/storNext.ts'
import { partOfFolder } from '#events/folders/browse.ts'
import { noFilters } from '#events/search/filters.ts'
import { ActionButton } from '#client/parts/actions/ActionButton.tsx'
import { type ActionTarget, targetOfEntries } from '#client/parts/selection/action.ts'
import { planAnswers, planOf } from '#client/testing/actions/plans.ts'
import { entry } from '#client/testing/examples.ts'
import { answer, fail, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { folder, foldersWith } from '#client/testing/fakeFolders.ts'
import { draw, type Options } from '#client/testing/render.tsx'
import { StorageManagerWizard } from './StorageManagerWizard.tsx'
import { selectionActions } from '../actions.ts'

const storageManager = selectionActions.find(({ id }) => id === 'storageManager')!

/** A file of a mapped storage, of 1 KiB. */
const film = entry('/film.mov', { fullPath: '/mnt/1/film.mov' })
/** A file of a storage without a mapping, of 2 KiB. */
const song = entry('/song.wav', { volumeId: 2, size: 2_048, fullPath: '/mnt/2/song.wav' })
const films = targetOfEntries([film], '2026-03-01')

const mapping: StorNextMapping = {
  id: 1,
  volumeId: 1,
  storageManagerConfigId: 1,
  dataintellPath: '/mnt/1',
  storageManagerPath: '/stornext/snfs1',
  volumeName: 'Storage 1',
  storageManagerConfigName: 'Studio',
}
const relocation = 'Specify the location on the Storage Manager agent file system'
const slow =
  'You are about to relocate more than 100 000 files. It could take a considerable amount of time to complete the process.'

/** Opens the wizard for a selection. `closed` counts how often it was closed. */
async function openWizard(target: ActionTarget = films, { answers = [], ...options }: Options = {}) {
  let closed = 0
  const opened = await draw(<StorageManagerWizard target={target} onClose={() => (closed += 1)} />, {
    ...options,
    answers: [...planAnswers, answer(storNextMappings.list, pageWith([mapping])), ...answers],
  })
  return { ...opened, closed: () => closed }
}

/** Opens the wizard at its review, to restore. */
async function openRestore(target: ActionTarget = films, options: Options = {}) {
  const opened = await openWizard(target, options)
  await opened.person.press('Restore', 'radio')
  await opened.person.press('Next')
  await opened.person.see('Files')
  return opened
}

const iconIn = async (options: Options) => {
  await draw(
    <div role="toolbar">
      <ActionButton action={storageManager} target={() => films} />
    </div>,
    options,
  )
  return within(await screen.findByRole('toolbar')).queryByRole('button', { name: 'Storage Manager' }) !== null
}

const dialog = () => screen.findByRole('dialog', { name: 'Select location' })

test('items of mapped storages are archived, others are ignored', async () => {
  const { person, api, closed } = await openWizard(targetOfEntries([film, song], '2026-03-01'))
  await person.see(
    '1 item (2.00 KiB) is ignored. Only files and folders of storages with a Quantum StorNext path can be archived or restored.',
  )
  expect(await person.isDisabled('Next')).toBe(true)
  await person.press('Archive', 'radio')
  await person.press('Next')
  await person.see('ActionArchive')
  await person.see('Files2')
  await person.seeNo(relocation)
  await person.press('Start')
  await person.see('A job for the Storage Manager action is now running.')
  const payload = { dataIntellPaths: ['/mnt/1/film.mov'] }
  expect(api.inputs(planAction).map(({ body }) => body)).toEqual([
    { jobType: 'ARCHIVE_STORAGE_MANAGER_FILES', payload },
  ])
  expect(api.inputs(storNextMappings.list)).toEqual([{ query: { page: 1, size: 200, sort: 'id', direction: 'asc' } }])
  expect(closed()).toBe(1)
})

test('a selection without a mapped storage leads no further', async () => {
  const { person } = await openWizard(targetOfEntries([song], undefined))
  await person.press('Archive', 'radio')
  await person.see('1 item (2.00 KiB) is ignored.')
  expect(await person.isDisabled('Next')).toBe(true)
})

test('each action needs its right, and the only one is preselected', async () => {
  const actions = async () => (await screen.findAllByRole<HTMLInputElement>('radio')).map(({ value }) => value)
  await openWizard()
  expect(await actions()).toEqual(['archive', 'restore'])
  expect(screen.queryByRole('radio', { checked: true })).toBeNull()
  await openWizard(films, { roles: ['ROLE_STORAGE_MANAGER_ARCHIVE'] })
  expect(await actions()).toEqual(['archive'])
  const { person } = await openWizard(films, { roles: ['ROLE_STORAGE_MANAGER_RESTORE'] })
  expect(await actions()).toEqual(['restore'])
  await person.press('Next')
  await person.see('ActionRestore')
})

test('the results of a search are archived or restored', async () => {
  const search = { filters: noFilters, isDirectory: false }
  const target = { selection: search, indexingDate: undefined, entries: [], totals: { count: 3, size: 3_072 } }
  const allMapped = answer(
    storNextMappings.list,
    pageWith([1, 2, 3, 4, 5, 6].map((id) => ({ ...mapping, volumeId: id }))),
  )
  const { person, api } = await openRestore(target, { answers: [allMapped] })
  await person.see('Files2')
  await person.press('Back')
  await person.press('Archive', 'radio')
  await person.press('Next')
  await person.see('Files2')
  expect(api.inputs(planAction)).toMatchObject([
    { body: { jobType: 'RESTORE_STORAGE_MANAGER_SEARCH_RESULT', payload: { ...search, relocate: null } } },
    { body: { jobType: 'ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT', payload: search } },
  ])
})

test('without a location, files are restored to their original path', async () => {
  const { person, api } = await openRestore()
  await person.see('LocationThe original path of each file')
  const payload = { relocate: null, dataIntellPaths: ['/mnt/1/film.mov'] }
  expect(api.inputs(planAction)).toMatchObject([{ body: { jobType: 'RESTORE_STORAGE_MANAGER_FILES', payload } }])
})

test('a location is picked from the folders of a mapped storage, and makes a new plan', async () => {
  const folders = foldersWith([folder('/raw')]).filter(({ endpoint }) => endpoint === partOfFolder)
  const { person, api } = await openRestore(films, { answers: folders })
  await person.press(relocation, 'checkbox')
  const options = within(await dialog()).getByRole<HTMLSelectElement>('combobox', { name: 'Storage' })
  await person.select(options, 'Storage 1')
  expect([...options.options].map(({ text }) => text)).toEqual(['Choose a storage', 'Storage 1'])
  expect(within(await dialog()).getByRole<HTMLInputElement>('textbox', { name: 'Location' }).value).toBe('/mnt/1')
  await person.press('Choose /raw')
  await person.press('Select')
  await person.see('Location/mnt/1/raw')
  await person.see('Files2')
  expect(api.inputs(planAction).at(-1)).toMatchObject({ body: { payload: { relocate: '/mnt/1/raw' } } })
})

test('a typed location must be a full path, and can be changed or taken back', async () => {
  const { person, api } = await openRestore()
  await person.press(relocation, 'checkbox')
  await person.write('Location', 'restored')
  await person.see('Location must be a full path')
  expect(await person.isDisabled('Select')).toBe(true)
  await person.write('Location', '/stornext/back{Enter}')
  await person.see('Location/stornext/back')
  await person.see('Files2')
  await person.press('Change location')
  await person.write('Location', '/stornext/other')
  await person.press('Select')
  await person.see('Location/stornext/other')
  await person.press(relocation, 'checkbox')
  await person.see('LocationThe original path of each file')
  await person.see('Files2')
  expect(api.inputs(planAction).at(-1)).toMatchObject({ body: { payload: { relocate: null } } })
  expect(api.inputs(startPlan)).toEqual([])
})

test('closing the location dialog without a location clears the checkbox', async () => {
  const { person } = await openRestore()
  await person.press(relocation, 'checkbox')
  await person.pressAt(within(await dialog()).getByRole('button', { name: 'Cancel' }))
  await person.seeNo('Select location')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: relocation }).checked).toBe(false)
})

test('relocating 100,000 files or more is warned about', async () => {
  const { person, api } = await openRestore(films, { answers: [answer(planAction, planOf({ files: 100_000 }))] })
  await person.see('Files100,000')
  await person.seeNo(slow)
  await person.press(relocation, 'checkbox')
  await person.write('Location', '/stornext/back{Enter}')
  await person.see(slow)
  api.answer(answer(planAction, planOf({ files: 99_999 })))
  await person.press('Change location')
  await person.write('Location', '/stornext/other{Enter}')
  await person.see('Files99,999')
  await person.seeNo(slow)
})

test('mappings that cannot be loaded leave Next disabled until they are loaded again', async () => {
  const { person, api } = await openWizard(films, { answers: [fail(storNextMappings.list)] })
  await person.see('Unable to fetch Quantum StorNext storage path configurations')
  await person.press('Archive', 'radio')
  expect(await person.isDisabled('Next')).toBe(true)
  api.answer(refuse(storNextMappings.list, { message: 'No database' }))
  await person.press('Retry')
  await person.see('No database')
  api.answer(answer(storNextMappings.list, pageWith([mapping])))
  await person.press('Retry')
  await person.press('Next')
  await person.see('Files2')
})

test('a job that cannot be started is reported', async () => {
  const failed = refuse(startPlan, { message: String(startPlan.failure) })
  const { person, closed } = await openRestore(films, { answers: [failed] })
  await person.press('Start')
  await person.see('Something went wrong while trying to start the Storage Manager job. Please try again.')
  expect(closed()).toBe(1)
})

test('the icon needs the right to archive or to restore, and the bundle', async () => {
  expect(await iconIn({ roles: ['ROLE_STORAGE_MANAGER_ARCHIVE'] })).toBe(true)
  expect(await iconIn({ roles: ['ROLE_STORAGE_MANAGER_RESTORE'] })).toBe(true)
  expect(await iconIn({ roles: ['ROLE_ARCHIWARE_ARCHIVE'] })).toBe(false)
  expect(await iconIn({ bundles: ['archiwareP5'] })).toBe(false)
})
