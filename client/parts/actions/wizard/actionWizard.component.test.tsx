import { screen, waitFor, within } from '@testing-library/dom'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { connectedSystems } from '#events/actions/calls.ts'
import { planAction, planDownload, plannedFiles, startPlan } from '#events/actions/plans.ts'
import type { EntrySummary } from '#events/entries.ts'
import { searchSizes } from '#events/search/calls.ts'
import { searchEntriesSizes } from '#events/search/criteria.ts'
import { noFilters } from '#events/search/filters.ts'
import { maxListedEntries } from '#events/selections.ts'
import { volumes } from '#events/snapshots.ts'
import { targetOfEntries } from '#client/parts/selection/action.ts'
import { film, openWizard, toReview } from '#client/testing/actions/archiwareWizards.tsx'
import { planOf } from '#client/testing/actions/plans.ts'
import { SelectionToolbar } from '#client/parts/actions/SelectionToolbar.tsx'
import { newSelection, selectPage } from '#client/parts/selection/selection.ts'
import { entry } from '#client/testing/examples.ts'
import { answer, hold, refuse } from '#client/testing/fakeApi.ts'
import { personAt } from '#client/testing/person.ts'
import { draw, type Options } from '#client/testing/render.tsx'

const films = targetOfEntries([film], '2026-03-01')
const tenTb = 10_995_116_277_760
const large = 'This selection is 10 TiB or more. Actions on it may take a long time.'
const totals = { count: 10, size: 1_024 }
const onPage = (entries: EntrySummary[]) => targetOfEntries(entries, undefined)

test('the last button starts the plan, is busy meanwhile, and leaves a message with a link to the jobs', async () => {
  let finish = () => {}
  const started = new Promise<void>((resolve) => (finish = resolve))
  const opened = await openWizard(
    'archive',
    films,
    answer(startPlan, async () => {
      await started
      return { jobId: 9 }
    }),
  )
  const { person, api } = opened
  await toReview(opened, 'archive')
  await person.press('Archive')
  expect(screen.getByRole('button', { name: 'Archive' }).dataset['loading']).toBe('true')
  expect(await person.isDisabled('Back')).toBe(true)
  finish()
  await person.see('A job for archiving the selection is now running.')
  expect(screen.getByRole('link', { name: 'See the jobs' }).getAttribute('href')).toBe('/settings/jobs')
  expect(api.inputs(startPlan)).toMatchObject([{ params: { id: 5 } }])
  expect(opened.closed()).toBe(1)
})

test('a plan that cannot be started closes the wizard with the reason of the server, or a sentence of the action', async () => {
  const conflict = refuse(startPlan, { message: 'The plan has already started' }, 409)
  const opened = await openWizard('restore', undefined, conflict)
  await toReview(opened, 'restore')
  await opened.person.press('Restore')
  await opened.person.see('The plan has already started')
  expect(opened.closed()).toBe(1)
  const other = await openWizard('restore', undefined, refuse(startPlan, { message: String(startPlan.failure) }))
  await toReview(other, 'restore')
  await other.person.press('Restore')
  await other.person.see('Something went wrong while trying to start the archive job. Please try again.')
  expect(other.closed()).toBe(1)
})

test('all results of a search without a limit are planned, as the review shows how many these are', async () => {
  for (const [filters, everything] of [
    [noFilters, true],
    [{ ...noFilters, name: '*' }, true],
    [{ ...noFilters, name: 'a*' }, false],
  ] as const) {
    const target = { selection: { filters, isDirectory: false }, indexingDate: undefined, entries: [], totals }
    const opened = await openWizard('archive', target, answer(searchSizes, totals))
    await toReview(opened, 'archive')
    await opened.person.see('Files')
    expect(opened.api.inputs(planAction)).toMatchObject([{ query: { everything } }])
  }
})

test('the review shows what is left out, by reason and file by file, and the whole plan as a file', async () => {
  const leftOut = [{ reason: 'No path mapping', files: 60, bytes: 2_048 }]
  const row = (position: number) => ({
    position,
    path: `/mnt/films/${position}.mov`,
    size: 1_024,
    place: '',
    leftOut: 'No path mapping',
  })
  const opened = await openWizard(
    'archive',
    films,
    answer(planAction, planOf({ leftOut, missing: 3 })),
    answer(plannedFiles, ({ query }) =>
      query.after === 0 ? { rows: [row(1), row(50)], cursor: 50 } : { rows: [row(60)], cursor: null },
    ),
    answer(planDownload, { name: 'plan-5.csv', text: 'path' }),
  )
  const { person, saved, api } = opened
  await toReview(opened, 'archive')
  const reasons = await screen.findByRole('table', { name: 'Left out by reason' })
  expect(reasons.textContent).toContain('No path mapping602.00 KiBNot in the snapshot3-')
  const files = async () => (await screen.findByRole('table', { name: 'Files left out' })).textContent
  expect(await files()).toContain('/mnt/films/50.mov')
  expect(await person.isDisabled('First files')).toBe(true)
  await person.press('Next files')
  await person.see('/mnt/films/60.mov')
  expect(await person.isDisabled('Next files')).toBe(true)
  await person.press('First files')
  await person.see('/mnt/films/1.mov')
  expect(api.inputs(plannedFiles)[0]).toMatchObject({ params: { id: 5 }, query: { leftOut: true, after: 0 } })
  await person.press('Download CSV')
  await waitFor(() => expect(saved).toEqual([{ name: 'plan-5.csv', text: 'path' }]))
})

test('a plan without files cannot be started', async () => {
  const opened = await openWizard('archive', films, answer(planAction, planOf({ files: 0, bytes: 0, missing: 1 })))
  await toReview(opened, 'archive')
  await opened.person.see('There are no files to process, so nothing can be started.')
  expect(await opened.person.isDisabled('Archive')).toBe(true)
})

test('while the server plans, the review has the focus and nothing can be started', async () => {
  const opened = await openWizard('archive', films, hold(planAction))
  await toReview(opened, 'archive')
  await opened.person.see('Listing the files')
  expect(document.activeElement?.textContent).toContain('Listing the files')
  expect(await opened.person.isDisabled('Archive')).toBe(true)
})

test('a plan that fails shows its reason on request, and is made again', async () => {
  const problem = { message: '/mnt/films/film.mov is in no storage' }
  const opened = await openWizard('archive', films, refuse(planAction, problem, 400))
  const { person, api } = opened
  await toReview(opened, 'archive')
  await person.see('There was an error while fetching the data')
  expect(await person.isDisabled('Archive')).toBe(true)
  await person.press('Show error details')
  await person.see('/mnt/films/film.mov is in no storage')
  api.answer(answer(planAction, planOf()))
  await person.press('Retry')
  await person.see('Files2')
})

test('the same choices keep their plan when the review is opened again', async () => {
  const opened = await openWizard('archive', films)
  const { person, api } = opened
  await toReview(opened, 'archive')
  await person.see('Files2')
  await person.press('Back')
  await person.press('Next')
  await person.see('Files2')
  expect(api.inputs(planAction)).toHaveLength(1)
})

test('a selection of 10 TiB or more is warned about, by its items and then by its plan', async () => {
  const opened = await openWizard('archive', onPage([entry('/a', { size: tenTb })]))
  await opened.person.see(large)
  await toReview(opened, 'archive')
  await opened.person.see('Files2')
  await opened.person.seeNo(large)
  const { person, ...other } = await openWizard('archive', films, answer(planAction, planOf({ bytes: tenTb })))
  await toReview({ person, ...other }, 'archive')
  await person.see(large)
})

test('entries inside a selected folder are planned with the folder', async () => {
  const folder = entry('/a', { isDirectory: true, fullPath: '/mnt/films/a' })
  const opened = await openWizard('archive', onPage([folder, entry('/a/b.mov'), entry('/c.mov')]))
  await toReview(opened, 'archive')
  await opened.person.see('Files2')
  const paths = { dataIntellPaths: ['/mnt/films/a', '/mnt/films/c.mov'] }
  expect(opened.api.inputs(planAction)).toMatchObject([{ body: { payload: paths } }])
})

test('more items than one request can name lead no further', async () => {
  const many = Array.from({ length: maxListedEntries + 1 }, (_, i) => entry(`/${i}`))
  const { person } = await openWizard('archive', onPage(many))
  await person.see('Select at most 10,000 items, their folders, or all results of a search. 10,001 are selected.')
  await person.choose('Plan', 'Plan 1')
  expect(await person.isDisabled('Next')).toBe(true)
})

test('conditions of a search are limited to the storages of the action for its totals', async () => {
  const criteria = { searchOperator: 'AND' as const, searchQueries: [{ name: { value: 'a' } }], searchQueryNodes: [] }
  const target = {
    selection: { criteria: criteria as never, isDirectory: false },
    indexingDate: undefined,
    entries: [],
    totals: { count: 3, size: 3_072 },
  }
  const { person, api } = await openWizard('restore', target, answer(searchEntriesSizes, { count: 1, size: 1_024 }))
  await person.see('2 items (2.00 KiB) are ignored.')
  const [{ body } = { body: undefined }] = api.inputs(searchEntriesSizes)
  expect(JSON.stringify(body)).toContain('"values":[5,6]')
})

test('totals that cannot be loaded are reported, and the plan counts the files instead', async () => {
  const target = {
    selection: { filters: noFilters, isDirectory: false },
    indexingDate: undefined,
    entries: [],
    totals: { count: 3, size: 3_072 },
  }
  const opened = await openWizard('archive', target, refuse(searchSizes, { message: 'The search is too slow' }))
  const { person } = opened
  await person.see('The search is too slow')
  await toReview(opened, 'archive')
  await person.see('Files2')
})

test('storages that cannot be loaded leave Next disabled until they are loaded again', async () => {
  const { person } = await openWizard('archive', films, refuse(volumes, { message: 'No database' }))
  await person.see('There was an error while fetching the data')
  await person.choose('Plan', 'Plan 1')
  expect(await person.isDisabled('Next')).toBe(true)
})

/** The toolbar with one selected file. */
function Toolbar() {
  const [selection] = useState(() => {
    const selection = newSelection()
    selectPage(selection, [film])
    return selection
  })
  return <SelectionToolbar selection={selection} page={() => [film]} nouns={['file', 'files']} />
}

const seeActions = async (options: Options, ...expected: string[]) => {
  await draw(<Toolbar />, options)
  const toolbar = within(await screen.findByRole('toolbar', { name: 'Selection' }))
  const names = () => toolbar.getAllByRole('button').map(({ textContent }) => textContent)
  await waitFor(() => expect(names().filter((name) => systemActions.has(name))).toEqual(expected))
}
const systemActions = new Set(['Archive', 'Restore', 'Transfer', 'Storage Manager', 'Upload Files', 'Archive or move…'])

test('the actions need their own role, and the bundle', async () => {
  await seeActions({}, 'Archive', 'Restore', 'Transfer', 'Storage Manager', 'Upload Files')
  await seeActions({ roles: ['ROLE_ARCHIWARE_ARCHIVE'] }, 'Archive')
  await seeActions({ roles: ['ROLE_ARCHIWARE_RESTORE'] }, 'Restore')
  await seeActions({ bundles: ['soda'] }, 'Transfer')
})

test('only actions of connected systems are offered, and without any, the settings that connect them', async () => {
  await seeActions({ answers: [answer(connectedSystems, ['iconik'])] }, 'Upload Files')
  await seeActions({ answers: [answer(connectedSystems, [])] }, 'Archive or move…')
  const person = personAt()
  await person.press('Archive or move…')
  const connect = await screen.findByRole('link', { name: 'Connect Archiware P5' })
  expect(connect.getAttribute('href')).toBe('/settings/data#archiware-p5')
  await seeActions({ answers: [answer(connectedSystems, [])], roles: ['ROLE_ICONIK_UPLOAD'] }, 'Archive or move…')
  await person.press('Archive or move…')
  await person.see('Upload: Iconik is not connected. Ask an administrator to connect it.')
  expect(screen.queryByRole('link', { name: /Connect/ })).toBeNull()
})
