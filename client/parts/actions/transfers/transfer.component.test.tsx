import { screen, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { planAction, startPlan } from '#events/actions/plans.ts'
import {
  type SodaMapping,
  sodaMappings,
  transferFolders,
  transferOptions,
  type TransferStorage,
  transferStorages,
} from '#events/actions/transfers.ts'
import { searchSizes } from '#events/search/calls.ts'
import { noFilters } from '#events/search/filters.ts'
import { ActionButton } from '#client/parts/actions/ActionButton.tsx'
import { type ActionTarget, targetOfEntries } from '#client/parts/selection/action.ts'
import { planAnswers, planOf } from '#client/testing/actions/plans.ts'
import { entry } from '#client/testing/examples.ts'
import { answer, fail, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { draw, type Options } from '#client/testing/render.tsx'
import { selectionActions } from '../actions.ts'
import { TransferWizard } from './TransferWizard.tsx'

const transfer = selectionActions.find(({ id }) => id === 'transfer')!

/** A file of a mapped storage of 1 KiB, a folder there, and a file of another storage of 2 KiB. */
const film = entry('/film.mov', { fullPath: '/mnt/1/film.mov' })
const raw = entry('/raw', { fullPath: '/mnt/1/raw', isDirectory: true })
const song = entry('/song.wav', { volumeId: 2, size: 2_048, fullPath: '/mnt/2/song.wav' })
const films = targetOfEntries([film], '2026-03-01')

const mapping: SodaMapping = {
  id: 1,
  volumeId: 1,
  dataintellPath: '/mnt/1',
  sodaStorageId: 'st-1',
  sodaPath: '/films',
  volumeName: 'Storage 1',
}
const storage = (id: string, name: string, changes: Partial<TransferStorage> = {}): TransferStorage => ({
  id,
  name,
  account: 'acme',
  type: 'Amazon S3',
  capacityUsed: null,
  capacityTotal: null,
  ...changes,
})
const storages = [
  storage('st-1', 'Films', { type: 'File', capacityUsed: 1_024, capacityTotal: 4_096 }),
  storage('st-2', 'Cloud'),
  storage('st-3', 'Cloud', { account: 'other' }),
]
const foldersIn: Record<string, string[]> = { '/': ['/in', '/out'], '/in': ['/in/raw'] }

async function openWizard(target: ActionTarget = films, { answers = [], ...options }: Options = {}) {
  let closed = 0
  const opened = await draw(<TransferWizard target={target} onClose={() => (closed += 1)} />, {
    ...options,
    answers: [
      ...planAnswers,
      answer(sodaMappings.list, pageWith([mapping])),
      answer(transferStorages, storages),
      answer(transferOptions, { movesDeletedBy: 'agent' }),
      answer(transferFolders, ({ query }) =>
        (foldersIn[query.path] ?? []).map((path) => ({ path, name: path.split('/').at(-1) ?? '' })),
      ),
      ...answers,
    ],
  })
  return { ...opened, closed: () => closed }
}

/** Opens the wizard at its second step. */
async function openTarget(action: 'Copy' | 'Move' = 'Copy', target?: ActionTarget, options?: Options) {
  const opened = await openWizard(target, options)
  await opened.person.press(new RegExp(`^${action}`))
  return opened
}

/** Opens the wizard at its review. */
async function openReview(action?: 'Copy' | 'Move', target?: ActionTarget, options?: Options) {
  const opened = await openTarget(action, target, options)
  await opened.person.pick('Target storage', 'Films')
  await opened.person.press('Next')
  await opened.person.see('Files')
  return opened
}

const pathField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Target path' })

test('files and folders of mapped storages are copied to a folder, others are ignored', async () => {
  const { person, api, closed } = await openTarget('Copy', targetOfEntries([film, raw, song], '2026-03-01'))
  await person.see(
    '1 item (2.00 KiB) is ignored. Only files and folders of storages with a SODA storage path can be transferred.',
  )
  await person.write('Job alias', ' Nightly ')
  await person.choose('Conflict handling', 'Rename Transferred File')
  await person.pick('Target storage', 'Cloud (other)')
  await person.write('Target path', '/in')
  await person.press('Next')
  await person.see(
    'ActionCopyJob aliasNightlyConflict handlingRename Transferred FileTarget storageCloudTarget path/in',
  )
  await person.see('Files2')
  await person.press('Start')
  await person.see('A job for the data transfer is now running.')
  expect(api.inputs(planAction).map(({ body }) => body)).toEqual([
    {
      jobType: 'SODA_TRANSFER',
      payload: {
        name: 'Nightly',
        transferType: 'COPY',
        conflictHandling: 'RENAME',
        target: { name: 'Cloud', path: '/in', storageId: 'st-3', isDirectory: true },
        sources: [
          { name: 'film.mov', path: '/mnt/1/film.mov', storageId: '1', isDirectory: false },
          { name: 'raw', path: '/mnt/1/raw', storageId: '1', isDirectory: true },
        ],
      },
    },
  ])
  expect(screen.getByRole('link', { name: 'See the jobs' }).getAttribute('href')).toBe('/settings/jobs')
  expect(closed()).toBe(1)
})

test('the first step has two cards and no other buttons', async () => {
  const { person } = await openWizard()
  await screen.findByRole('button', { name: /^Move/ })
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  expect(document.activeElement?.textContent).toMatch(/^Copy/)
  await person.press(/^Move/)
  expect(await person.isDisabled('Next')).toBe(true)
  await person.press('Back')
  expect((await screen.findByRole('button', { name: /^Move/ })).getAttribute('aria-pressed')).toBe('true')
})

test('a storage sets the path to its root, and both are needed', async () => {
  const { person } = await openTarget()
  expect((await pathField()).disabled).toBe(true)
  const options = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Conflict handling' })
  expect([...options.options].map(({ text }) => text)).toEqual([
    'Overwrite Target File',
    'Rename Transferred File',
    'Skip Source File',
  ])
  expect(options.value).toBe('OVERWRITE')
  await person.pick('Target storage', 'Films')
  expect((await pathField()).value).toBe('/')
  await person.see('1.00 KiB of 4.00 KiB are used')
  expect(await person.isDisabled('Next')).toBe(false)
  await person.write('Target path', '')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Target path', 'in')
  await person.see('Target path must begin with /')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Target path', '/in')
  await person.pick('Target storage', 'Cloud (acme)')
  expect((await pathField()).value).toBe('/')
})

test('a folder of the target storage is picked in a dialog', async () => {
  const { person, api } = await openTarget()
  await person.pick('Target storage', 'Films')
  await person.press('Select target folder')
  const dialog = within(await screen.findByRole('dialog', { name: 'Select target folder' }))
  await person.pressAt(await dialog.findByRole('button', { name: 'in' }))
  await person.press('Choose /in/raw')
  expect((await pathField()).value).toBe('/in/raw')
  await person.press('Select target folder')
  await person.press('All folders')
  await person.press('out')
  await person.see('No subfolders')
  await person.press('Select this folder')
  expect((await pathField()).value).toBe('/out')
  expect(api.inputs(transferFolders)).toMatchObject(
    ['/', '/in', '/in/raw', '/', '/out'].map((path) => ({ params: { storageId: 'st-1' }, query: { path } })),
  )
})

test('a move warns about who deletes the files', async () => {
  const { person, api } = await openReview('Move')
  await person.see('The agent deletes each file from its storage after it has verified the copy.')
  await person.see('Job aliasThe number of the job')
  expect(api.inputs(planAction)).toMatchObject([{ body: { payload: { name: '', transferType: 'MOVE' } } }])
  const byService = answer(transferOptions, { movesDeletedBy: 'service' })
  const other = await openReview('Move', films, { answers: [byService] })
  await other.person.see('The transfer service deletes the files from their storage.')
})

test('a move to a target without a mapping says that files may stay', async () => {
  const unread = /No SODA storage path leads to the target, so no agent can read the copies/
  const { person } = await openReview('Move')
  await person.see(unread)
  const whole = answer(sodaMappings.list, pageWith([{ ...mapping, sodaPath: '/' }]))
  const mapped = await openReview('Move', films, { answers: [whole] })
  await mapped.person.see('The agent deletes each file from its storage after it has verified the copy.')
  expect(screen.queryAllByText(unread)).toEqual([])
  const byService = answer(transferOptions, { movesDeletedBy: 'service' })
  const other = await openReview('Move', films, { answers: [byService] })
  await other.person.see('The transfer service deletes the files from their storage.')
  expect(screen.queryAllByText(unread)).toEqual([])
})

test('all results of a search are transferred as the search', async () => {
  const search = { filters: { ...noFilters, extension: ['mov'] }, isDirectory: true }
  const target = { selection: search, indexingDate: undefined, entries: [], totals: { count: 12, size: 4_096 } }
  const { person, api } = await openReview('Copy', target, {
    answers: [answer(searchSizes, { count: 10, size: 1_024 })],
  })
  await person.see('2 items (3.00 KiB) are ignored.')
  const to = { name: 'Films', path: '/', storageId: 'st-1', isDirectory: true }
  expect(api.inputs(planAction)).toMatchObject([
    { body: { jobType: 'SODA_TRANSFER_SEARCH_RESULT', payload: { ...search, target: to } } },
  ])
})

test('a selection of 10 TiB or more is warned about, and one without a mapped storage leads no further', async () => {
  const { person } = await openReview('Copy', films, {
    answers: [answer(planAction, planOf({ bytes: 10_995_116_277_760 }))],
  })
  await person.see('This selection is 10 TiB or more.')
  const other = await openTarget('Copy', targetOfEntries([song], undefined))
  await other.person.pick('Target storage', 'Films')
  expect(await other.person.isDisabled('Next')).toBe(true)
})

test('lists that cannot be loaded are named, with the error of the service and a retry', async () => {
  const title = 'Unable to get the list of storages from the transfer service.'
  const refused = refuse(transferStorages, { message: 'Wrong client secret', title, debugMessage: 'HTTP 401' }, 502)
  const { person, api } = await openWizard(films, { answers: [refused, fail(sodaMappings.list)] })
  await person.see('Unable to fetch SODA storage path configurations')
  api.answer(answer(sodaMappings.list, pageWith([mapping])))
  await person.press('Retry')
  await person.press(/^Copy/)
  await person.see(title)
  await person.press('Show error details')
  await person.see('Wrong client secret')
  api.answer(answer(transferStorages, storages))
  await person.press('Retry')
  await person.pick('Target storage', 'Films')
  expect(await person.isDisabled('Next')).toBe(false)
})

test('a target inside a folder that is transferred is reported in the review', async () => {
  const message = 'The target folder must not be inside /mnt/1/raw, which is transferred'
  const { person, api } = await openTarget()
  api.answer(refuse(planAction, { message, code: 'target-in-source' }, 400))
  await person.pick('Target storage', 'Films')
  await person.press('Next')
  await person.see(message)
  expect(await person.isDisabled('Start')).toBe(true)
})

test('a job that cannot be started is reported, and the wizard closes', async () => {
  const failed = refuse(startPlan, { message: String(startPlan.failure) })
  const { person, closed } = await openReview('Copy', films, { answers: [failed] })
  await person.press('Start')
  await person.see('Something went wrong while trying to start the data transfer. Please try again.')
  expect(closed()).toBe(1)
})

test('the icon needs the right to transfer, and the bundle', async () => {
  const iconIn = async (options: Options) => {
    await draw(
      <div role="toolbar">
        <ActionButton action={transfer} target={() => films} />
      </div>,
      options,
    )
    return within(await screen.findByRole('toolbar')).queryByRole('button', { name: 'Transfer' }) !== null
  }
  expect(await iconIn({ roles: ['ROLE_SODA_TRANSFER'] })).toBe(true)
  expect(await iconIn({ roles: ['ROLE_ICONIK_UPLOAD'] })).toBe(false)
  expect(await iconIn({ bundles: ['iconik'] })).toBe(false)
})
