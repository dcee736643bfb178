import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { eventLog, type LoggedEvent } from '#events/event-log/calls.ts'
import { jobs } from '#events/jobs/calls.ts'
import { jobRow } from '#client/testing/examples.ts'
import { eventLine } from '#events/event-log/lines.ts'
import { answer, type FakeAnswer, hold, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'
import { sandboxOf } from './source.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString()
const logged = (position: number, stream: string, type: string, data: object = {}): LoggedEvent => ({
  position,
  stream,
  version: position,
  type,
  actor: 'ana',
  address: null,
  at: at(position),
  data: { type, at: at(position), ...data },
})
const task = { type: 'SCAN_VOLUMES', storage: 'Films' } as const
const scanPayload = { volumes: [1], cloneIndex: true }
const created = (position: number, id: number, name: string) =>
  logged(position, `volume-${id}`, 'Created', { after: { id, name } })
const log = [
  created(1, 1, 'Films'),
  logged(2, 'job-1', 'JobQueued', { jobId: 1, jobType: 'SCAN_ON_PREMISES', serverId: 1, payload: scanPayload }),
  logged(3, 'job-1', 'TaskQueued', {
    taskId: 1,
    taskType: 'SCAN_VOLUMES',
    serverId: 1,
    payload: { ...scanPayload, scanId: 1 },
  }),
  { ...logged(4, 'job-1', 'TaskStarted', { taskId: 1, attempt: 1 }), task },
  { ...logged(5, 'job-1', 'TaskSucceeded', { taskId: 1, result: {} }), task },
  created(6, 2, 'Sounds'),
  logged(7, 'health', 'HealthProblemFound', { problem: { key: 'disk', message: 'The disk is almost full.' } }),
]
/** The fake server filters events with the code for local files. */
const source = sandboxOf('log', log)
const { signal } = new AbortController()
const defaultAnswers = [
  answer(eventLog.list, async ({ query }) => ({ ...(await source.list(query, signal)), newest: 7 })),
  answer(eventLog.one, ({ params }) => source.one(params.position, signal)),
  answer(eventLog.density, ({ query }) => source.density(query, signal)),
  answer(eventLog.facets, () => source.facets(signal)),
  answer(jobs.list, pageWith([jobRow(1)])),
]
const show = (query = '', answers: FakeAnswer[] = [], options: Options = {}) =>
  open(`/event-log${query}`, { ...options, answers: [...defaultAnswers, ...answers] })

const rows = () =>
  [...document.querySelectorAll('tr[data-index]')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent?.trim()),
  )
const types = () => rows().map((cells) => cells.at(-1))
const seeTypes = (...expected: string[]) => waitFor(() => expect(types()).toEqual(expected))
const detailsSay = async (text: RegExp) => {
  const details = await screen.findByRole('region', { name: 'The event' })
  await waitFor(() => expect(details.textContent).toMatch(text))
}
const address = () => new URLSearchParams(location.search)

test('the tail shows events at once, and stops when it is paused', async () => {
  const { person, live } = await show()
  await person.see('Live, latest 7 events')
  expect(rows()[2]).toEqual([expect.any(String), 'Scan of Films succeeded', 'ana', 'job-1', 'Task succeeded'])
  expect(rows()[0]?.[1]).toBe('Health problem found: The disk is almost full.')
  live.send('log', { type: 'logged', events: [created(8, 3, 'Music')] })
  await waitFor(() => expect(rows()[0]?.[3]).toBe('volume-3'))
  await person.press('Pause')
  live.send('log', { type: 'logged', events: [created(9, 4, 'Pictures')] })
  await screen.findByRole('button', { name: 'Resume' })
  await person.see('Paused, 1 new event')
  expect(rows()[0]?.[3]).toBe('volume-3')
  await person.press('Jump to live (1 new event)')
  await person.see('Live, latest 9 events')
  expect(rows()[0]?.[1]).toBe('Storage Pictures was created')
})

test('a tail that was not read yet counts nothing, and one that cannot be read is read again', async () => {
  const waiting = await show('', [hold(eventLog.list)])
  await waiting.person.see('Pause')
  await waiting.person.seeNo('latest')
  const { person, api } = await show('', [refuse(eventLog.list, { message: 'The log is away' }, 503)])
  await person.see('The log is away')
  await person.seeNo('latest')
  api.answer(...defaultAnswers)
  await person.press('Retry')
  await person.see('Live, latest 7 events')
})

test('filters are in the address, and another reader of the address sees the same', async () => {
  const { person } = await show()
  await person.press('Browse')
  await person.write('Stream', 'job-*{Enter}')
  await seeTypes('Task succeeded', 'Task started', 'Task queued', 'Job queued')
  expect(address().get('stream')).toBe('job-*')
  expect(screen.getByRole('link', { name: 'Export' }).getAttribute('href')).toBe('/api/v1/events/export?stream=job-*')
  const other = await show('?type=Created&text=SOUNDS')
  await seeTypes('Created')
  await other.person.press('Clear filters')
  await waitFor(() => expect(types()).toHaveLength(7))
  const none = await show('?stream=nothing-1')
  await none.person.see('No events match these filters.')
})

test('a link to an event shows it in full, with the state that it led to', async () => {
  const { person } = await show('?event=4')
  await detailsSay(/Scan of Films started/)
  await detailsSay(/status"?\s*"RUNNING"/)
  await seeTypes('Task started', 'Task queued', 'Job queued', 'Created')
  await person.press('Change', 'tab')
  await detailsSay(/attempt/)
  await person.press('JSON', 'tab')
  await detailsSay(/version\s*4/)
  await person.press('Show newer events')
  await waitFor(() => expect(types()).toHaveLength(7))
})

test('a job is replayed step by step, by buttons and keys, and every state belongs to its moment', async () => {
  const { person } = await show('?mode=replay&stream=job-1')
  await person.see(/Replay: job 1 as of \d\d:\d\d:\d\d\.\d{3}/)
  await detailsSay(/^Job 1 was queued[^]*status\s*"NEW"/)
  expect([await person.isDisabled('Export'), await person.isDisabled('Import')]).toEqual([true, true])
  await person.keys('{ArrowRight}{ArrowRight}')
  await person.see('3 of 4')
  await detailsSay(/status\s*"RUNNING"/)
  expect(address().get('event')).toBe('4')
  await person.press('Step forward')
  await detailsSay(/status\s*"SUCCESS"/)
  await person.keys('{Home}')
  await person.see('1 of 4')
  await person.press('1000×')
  await person.press('Play')
  await person.see('4 of 4')
})

test('a setting is replayed, a number refers to a job, and a stream without events shows a note', async () => {
  const { person } = await show('?mode=replay&stream=volume-1')
  await person.see('Replay: volume 1 as of')
  await detailsSay(/name\s*"Films"/)
  const chosen = await show('?mode=replay')
  await chosen.person.see('Choose a job or setting to replay, such as job-42 or volume-3.')
  await chosen.person.write('Job or setting', '99{Enter}')
  await chosen.person.see('There are no events of job-99.')
})

test('a file is browsed and replayed without the server, and a bad file names its line', async () => {
  const failed = { ...log[4]!, type: 'TaskFailed', data: { type: 'TaskFailed', at: at(5), taskId: 1, reason: 'Gone' } }
  const lines = [...log.slice(1, 4), failed].map(eventLine).join('')
  const { person, api } = await show('?mode=browse')
  const input = await screen.findByLabelText<HTMLInputElement>('File of events')
  const give = (name: string, text: string) => fireEvent.change(input, { target: { files: [new File([text], name)] } })
  give('bad.ndjson', `${lines}{"position":`)
  await person.see('bad.ndjson cannot be opened. Line 5: not JSON')
  give('none.ndjson', '\n')
  await person.see('none.ndjson contains no events')
  give('good.ndjson', lines)
  await person.see('good.ndjson: 4 events from a file, in this browser only. Nothing is sent to the server.')
  await seeTypes('Task failed', 'Task started', 'Task queued', 'Job queued')
  const calls = () => Object.values(eventLog).flatMap((endpoint) => api.inputs(endpoint)).length
  const before = calls()
  const tabs = within(screen.getByRole('navigation', { name: 'Event log' }))
  expect(tabs.queryByRole('button', { name: 'Live' })).toBeNull()
  await person.pressAt(tabs.getByRole('button', { name: 'Replay' }))
  await person.write('Job or setting', '1{Enter}')
  await person.see(/Replay: job 1 as of/)
  screen.getByRole('grid', { name: 'Events of job 1' }).focus()
  await person.keys('.')
  await detailsSay(/failed: Gone/)
  expect(calls()).toBe(before)
  await person.press('Close the file')
  await person.seeNo('in this browser only')
})

test('the event log needs a role', async () => {
  const { person, api } = await show('', [], { roles: [] })
  await person.see('Only administrators can open the event log.')
  expect(api.inputs(eventLog.list)).toEqual([])
})

test('a range is typed as it is shown, or chosen as a period', async () => {
  const { person } = await show('?mode=browse')
  await person.write('From', '2026-03-01 10:00{Enter}')
  await waitFor(() => expect(address().get('from')).toMatch(/^2026-0[23]-\d\dT\d\d:00:00\.000Z$/))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'From' }).value).toBe('2026-03-01 10:00')
  await person.write('To', 'tomorrow{Enter}')
  await person.see('Use the form 2026-11-26 14:40')
  expect(address().has('to')).toBe(false)
  await person.choose('Period', 'Last 24 hours')
  await waitFor(() => expect(Date.now() - Date.parse(address().get('from') ?? '')).toBeLessThan(25 * 60 * 60_000))
})

test('recent jobs are replayed with one press', async () => {
  const { person } = await show('?mode=replay')
  await person.see('Choose a job or setting to replay, such as job-42 or volume-3.')
  await person.press(/^Job 1 ?Scan On-Premises, Films ?Success/)
  await waitFor(() => expect(address().get('stream')).toBe('job-1'))
  await person.see('1 of 4')
})
