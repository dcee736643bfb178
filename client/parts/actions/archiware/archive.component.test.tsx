import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { planAction } from '#events/actions/plans.ts'
import { noFilters } from '#events/search/filters.ts'
import { searchSizes } from '#events/search/calls.ts'
import { archiwareClients, archiwarePlans } from '#events/sources/archiwares.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { targetOfEntries } from '#client/parts/actions/actionTarget.ts'
import {
  archiveClient,
  archivePlan,
  archived,
  film,
  object,
  openWizard,
  toReview,
} from '#client/testing/actions/archiwareWizards.tsx'

const optionsOf = async (field: string) =>
  [...(await screen.findByRole<HTMLSelectElement>('combobox', { name: field })).options].map(({ text }) => text)

test('a plan is selected by its name, and shows its index, storage pool and agent', async () => {
  const { person } = await openWizard('archive')
  expect(await optionsOf('Plan')).toEqual(['Choose a plan', 'Plan 1', 'Plan 2'])
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Plan' }))
  expect(await person.isDisabled('Next')).toBe(true)
  await person.choose('Plan', 'Plan 2')
  await person.see(/Archive IndexDefault-ArchiveStorage PoolDisk poolAgentBuilt-in agent/)
  expect(await person.isDisabled('Next')).toBe(false)
})

test('plans of the same name can be distinguished', async () => {
  const same = [archivePlan('1', { planName: 'Daily' }), archivePlan('2', { planName: 'Daily' })]
  await openWizard('archive', undefined, answer(archiwarePlans, same))
  expect(await optionsOf('Plan')).toEqual(['Choose a plan', 'Daily (1, Built-in agent)', 'Daily (2, Built-in agent)'])
})

test('shows the credentials of plans that are listed twice', async () => {
  const same = [archivePlan('1'), archivePlan('1', { credentialsId: 8, credentialsName: 'Read only' })]
  await openWizard('archive', undefined, answer(archiwarePlans, [...same, archivePlan('2')]))
  const [first, second] = ['Plan 1 (1, Built-in agent, Tape library)', 'Plan 1 (1, Built-in agent, Read only)']
  expect(await optionsOf('Plan')).toEqual(['Choose a plan', first, second, 'Plan 2'])
})

test('only clients of the credentials of the plan are offered, and another plan needs another client', async () => {
  const { person } = await openWizard('archive')
  await person.choose('Plan', 'Plan 1')
  await person.press('Next')
  expect(await optionsOf('Client')).toEqual(['Choose a client', 'north', 'south'])
  expect(await person.isDisabled('Next')).toBe(true)
  await person.choose('Client', 'north')
  expect(await person.isDisabled('Next')).toBe(false)
  await person.press('Back')
  await person.choose('Plan', 'Plan 2')
  await person.press('Next')
  expect(await optionsOf('Client')).toEqual(['Choose a client', 'east'])
  expect(await person.isDisabled('Next')).toBe(true)
})

test('the selected files are planned with the choices of the steps, without those of archive indexes', async () => {
  const opened = await openWizard('archive')
  const { person, api } = opened
  await person.see('1 item (2.00 KiB) is ignored. Only files and folders of file storages can be archived.')
  await person.choose('Plan', 'Plan 1')
  await person.write('Location', '/projects')
  await person.press('Scan the archive index afterwards', 'checkbox')
  await person.press('Next')
  await person.choose('Client', 'south')
  await person.press('Next')
  await person.see(/PlanPlan 1Archive IndexDefault-ArchiveStorage PoolLTO poolAgentBuilt-in agentClientsouth/)
  await person.see(/Location\/projectsAfter the jobScan the archive indexFiles2Size3\.00 KiBSnapshot2026-03-01/)
  expect(api.inputs(planAction)).toEqual([
    expect.objectContaining({
      query: { indexingDate: '2026-03-01', everything: false },
      body: {
        jobType: 'ARCHIVE_ARCHIWARE_FILES',
        payload: {
          planId: '1',
          clientId: 'south',
          serverId: 1,
          credentialsId: 7,
          meta: [],
          indexroot: '/projects',
          deltaScanAfter: true,
          dataIntellPaths: ['/mnt/films/film.mov'],
        },
      },
    }),
  ])
})

test('all results of a search are planned as the search, and those on other storages are counted as ignored', async () => {
  const filters = { ...noFilters, extension: ['mov'] }
  const target = {
    selection: { filters, isDirectory: false },
    indexingDate: undefined,
    entries: [],
    totals: { count: 12, size: 4_096 },
  }
  const opened = await openWizard('archive', target, answer(searchSizes, { count: 10, size: 1_024 }))
  await opened.person.see('2 items (3.00 KiB) are ignored.')
  expect(opened.api.inputs(searchSizes)).toMatchObject([{ query: { volumeId: [1, 2, 3], extension: ['mov'] } }])
  await toReview(opened, 'archive')
  await opened.person.see('Files2')
  expect(opened.api.inputs(planAction)).toMatchObject([
    { body: { jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT', payload: { filters, isDirectory: false, planId: '1' } } },
  ])
})

test('without an item of a file storage, Next stays disabled', async () => {
  const { person } = await openWizard('archive', targetOfEntries([archived, object], undefined))
  await person.see('2 items (6.00 KiB) are ignored. Only files and folders of file storages can be archived.')
  await person.choose('Plan', 'Plan 1')
  expect(await person.isDisabled('Next')).toBe(true)
})

test('a plan that deletes files warns twice, and starts only after its deletion is confirmed', async () => {
  const deleting = answer(archiwarePlans, [archivePlan('1', { deleteAll: true })])
  const opened = await openWizard('archive', targetOfEntries([film], undefined), deleting)
  const { person } = opened
  await person.choose('Plan', 'Plan 1')
  await person.see('The plan Plan 1 deletes the archived files and folders from their storage.')
  await person.press('Next')
  await person.choose('Client', 'north')
  await person.press('Next')
  await person.see('Files2')
  await person.see('The plan Plan 1 deletes the archived files and folders from their storage.')
  expect(await person.isDisabled('Archive')).toBe(true)
  await person.press('Delete the archived files and folders from their storage', 'checkbox')
  expect(await person.isDisabled('Archive')).toBe(false)
  await person.press('Back')
  await person.choose('Client', 'south')
  await person.press('Next')
  await person.see('Files2')
  expect(await person.isDisabled('Archive')).toBe(true)
})

test('servers without plans or clients lead no further', async () => {
  const { person } = await openWizard('archive', undefined, answer(archiwarePlans, []))
  await person.see('It seems you have no plans on Archiware. Please verify and try again.')
  expect(await person.isDisabled('Next')).toBe(true)
  const other = await openWizard('archive', undefined, answer(archiwareClients, [archiveClient('east', 8)]))
  await other.person.choose('Plan', 'Plan 1')
  await other.person.press('Next')
  await other.person.see('It seems you have no client on Archiware. Please verify and try again.')
  other.api.answer(answer(archiwareClients, [archiveClient('west')]))
  await other.person.press('Retry')
  await other.person.choose('Client', 'west')
})

test('plans that cannot be loaded show their reason on request, and are loaded again', async () => {
  const problem = { message: 'Sign-in refused', debugMessage: 'Wrong password' }
  const { person, api } = await openWizard('archive', undefined, refuse(archiwarePlans, problem, 502))
  await person.see('There was an error while fetching the data')
  await person.seeNo('Wrong password')
  await person.press('Show error details')
  await person.see(/Sign-in refusedWrong password/)
  await person.press('Hide error details')
  await person.seeNo('Wrong password')
  api.answer(answer(archiwarePlans, [archivePlan('3')]))
  await person.press('Retry')
  await person.choose('Plan', 'Plan 3')
})

test('without an agent that answers, the servers are reported as missing', async () => {
  const { person } = await openWizard('archive', undefined, refuse(archiwarePlans, { message: 'No answer' }, 503))
  await person.see('Something went wrong while trying to get servers. Please try again.')
})
