import { fireEvent, screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agents } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { jobs } from '#events/jobs/calls.ts'
import { jobTypes } from '#events/jobs/types.ts'
import { dashboardWith, jobRow, runningScan, storageSize } from '#client/testing/examples.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { address, cellsOf, defaultAnswers, listOf, nothing, rows, table } from '#client/jobs/testing.ts'

const twoAgents = [
  { id: 1, name: 'Built-in agent' },
  { id: 2, name: 'Archive' },
]

test('a row says what ran, on which storage, when, how it ended and why', async () => {
  const reason = 'not mounted'
  const storages = [
    { id: 1, name: 'Films' },
    { id: 2, name: 'Music' },
  ]
  const result = { failedScanVolumeSettings: [{ id: 2, reason }] }
  const failed = jobRow(7, { status: 'FAILURE', result, storages, storageCount: 3 })
  await open('/settings/jobs', {
    answers: [listOf(failed, jobRow(6, { agentName: null, startedAt: null })), nothing],
  })
  const [first, second] = await rows()
  const date = expect.stringMatching(/^2026-\d\d-\d\d \d\d:\d\d$/)
  expect(cellsOf(first)).toEqual([
    '7',
    'Scan On-Premises',
    'Films and 2 more',
    'Built-in agent',
    date,
    date,
    date,
    '1 min 00 s',
    'Failure',
    'Music: not mounted',
    '',
  ])
  expect([cellsOf(second)[3], cellsOf(second)[5]]).toEqual(['-', '-'])
})

test('a running job shows its progress in the row, over all of its storages', async () => {
  const scan = runningScan({ jobId: 7 })
  const shown = dashboardWith({ scans: [scan], storages: [storageSize(1, { numberOfFiles: 998 })] })
  await open('/settings/jobs', {
    answers: [listOf(jobRow(7, { status: 'RUNNING', storageCount: 2 })), answer(dashboard, shown)],
    live: { dashboard: shown },
  })
  await waitFor(async () => expect(cellsOf((await rows())[0])[9]).toBe('75.0 %'))
})

test('jobs are filtered by type, and the address remembers it', async () => {
  const { person, api } = await open('/settings/jobs', {
    answers: [
      nothing,
      answer(jobs.list, ({ query }) =>
        pageWith(query.types.length === 1 && query.types[0] === 'TAG_SEARCH_RESULT' ? [] : [jobRow(7)]),
      ),
    ],
  })
  await person.press('Filter jobs by type')
  await person.press('Select all job types', 'checkbox')
  await person.see('No job type is selected.')
  await person.press('Tag search results', 'checkbox')
  await person.see('No jobs match these filters.')
  expect(address()).toBe('/settings/jobs?types=TAG_SEARCH_RESULT')
  await person.press('Scan On-Premises', 'checkbox')
  await person.see('All jobs1')
  await person.see(`2 of ${jobTypes.length}`)
  expect(api.inputs(jobs.list).at(-1)?.query.types).toEqual(['SCAN_ON_PREMISES', 'TAG_SEARCH_RESULT'])
  await person.press('Select all job types', 'checkbox')
  await waitFor(() => expect(address()).toBe('/settings/jobs'))
})

test('jobs are filtered by status, agent and time, and the address remembers it', async () => {
  const { person, api } = await open('/settings/jobs', {
    answers: [nothing, answer(jobs.list, pageWith([jobRow(7)])), answer(agents.list, pageWith(twoAgents))],
  })
  const last = () =>
    api
      .inputs(jobs.list)
      .filter(({ query }) => query.size === 25)
      .at(-1)?.query
  await person.press('Filter jobs by status')
  await person.press('All statuses', 'checkbox')
  await person.see('No status is selected.')
  await person.press('Failure', 'checkbox')
  await person.keys('{Escape}')
  await person.press('Filter jobs by agent')
  await person.press('Archive', 'checkbox')
  await person.keys('{Escape}')
  await person.choose('Created', 'Last 24 hours')
  await waitFor(() => expect(address()).toBe('/settings/jobs?statuses=FAILURE&agents=1&time=24h'))
  await waitFor(() => expect(last()).toMatchObject({ statuses: ['FAILURE'], agents: [1], lastHours: 24 }))
  await person.press('Clear filters')
  await waitFor(() => expect(address()).toBe('/settings/jobs'))
  expect(last()).toMatchObject({ statuses: [], agents: [], types: [] })
})

test('days are chosen from midnight to midnight of the server', async () => {
  const { api } = await open('/settings/jobs?from=2026-03-01&to=2026-03-02', { answers: [...defaultAnswers, listOf()] })
  await screen.findByText('No jobs match these filters.')
  const { createdFrom, createdTo } = api.inputs(jobs.list).find(({ query }) => query.createdFrom)?.query ?? {}
  expect(Date.parse(createdTo ?? '') - Date.parse(createdFrom ?? '')).toBe(48 * 60 * 60_000)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Created from' })
  expect(field.value).toBe('2026-03-01')
})

test('only types that jobs can have here are offered', async () => {
  const { person } = await open('/settings/jobs', {
    answers: [...defaultAnswers, listOf(jobRow(7)), answer(jobs.types, ['SCAN_ON_PREMISES', 'GENERATE_REPORT'])],
  })
  await person.press('Filter jobs by type')
  await person.see(/Select all job typesScan On-PremisesGenerate report/)
})

test('ten thousand jobs are paged and scrolled, and only those in sight are drawn', async () => {
  const total = 10_006
  const { person } = await open('/settings/jobs', {
    answers: [
      nothing,
      answer(jobs.list, ({ query: { page, size } }) => {
        const count = Math.max(0, Math.min(size, total - (page - 1) * size))
        const ids = Array.from({ length: count }, (_, i) => total - (page - 1) * size - i)
        return {
          ...pageWith(
            ids.map((id) => jobRow(id)),
            total,
          ),
          page,
          size,
        }
      }),
    ],
  })
  await person.see('10,006 jobs found')
  await person.choose('jobs per page', '500')
  await person.see('of 21')
  const drawn = async () => (await table()).querySelectorAll('tr[data-index]')
  expect((await drawn()).length).toBeLessThan(100)
  expect(cellsOf((await rows())[0])[0]).toBe('10006')
  const scroller = (await table()).parentElement!
  scroller.scrollTop = 500 * 32
  fireEvent.scroll(scroller)
  await person.see('9507')
  expect((await drawn()).length).toBeLessThan(100)
  await person.press('Next page')
  await waitFor(() => expect(address()).toBe('/settings/jobs?page=2'))
  await person.write('Page', '21')
  await person.keys('{Enter}')
  await waitFor(async () => expect((await drawn()).length).toBe(6))
  expect(localStorage.getItem('numberOfElementsJobs')).toBe('500')
})

test('new jobs wait while the pointer is over the list, and are shown on request', async () => {
  const { person, api, live } = await open('/settings/jobs', { answers: [nothing, listOf(jobRow(6))] })
  const [first] = await rows()
  await person.hoverAt(first!)
  api.answer(listOf(jobRow(7, { status: 'NEW' }), jobRow(6)))
  live.send('jobs', { type: 'jobs', jobs: [jobRow(7, { status: 'NEW' })] })
  await person.see('1 new job')
  expect(cellsOf((await rows())[0])[0]).toBe('6')
  await person.press('1 new job')
  await waitFor(async () => expect(cellsOf((await rows())[0])[0]).toBe('7'))
})
