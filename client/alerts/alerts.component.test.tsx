import { liveOff } from '#events/feeds/liveState.ts'
import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type ChannelDraft, channels, type NotificationChannel } from '#events/notifications/channels.ts'
import { notifications } from '#events/notifications/calls.ts'
import { projects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import type { AlertStatus } from '#events/schedules/alerts.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { type Storage, storages } from '#events/storages.ts'
import { listedProject } from '#client/testing/exampleProject.ts'
import { today } from '#client/testing/examples.ts'
import { answer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

const at = `${today}T10:00:00.000Z`
const films: Storage = {
  id: 1,
  name: 'Films',
  account: null,
  type: 'crawl.files',
  createdAt: at,
  stats: { capacityUsed: 1, capacityTotal: 2, capacityFree: 1, fileSystem: null },
  live: liveOff,
}
const storagePage = {
  elements: [films, { ...films, id: 2, name: 'Bucket', type: 'AWS-S3' }],
  startCursor: null,
  endCursor: null,
  hasNextPage: false,
  hasPreviousPage: false,
  size: 1_000,
  sort: 'NAME' as const,
  direction: 'asc' as const,
  indexingDate: today,
}
const alpine = listedProject(4, 'Alpine')
const check = {
  id: 6,
  name: 'No ransomware',
  state: null,
  reason: '',
  at: null,
  indexingDate: null,
  numberOfFilesFound: null,
  sizeOfFilesFound: null,
}
const none = { state: null, evaluatedAt: null, reason: null, lastSent: null }
const notEvaluated: AlertStatus = { ...none, isWebhookLost: false, isOwnerDeleted: false }
const rowOf = (draft: ScheduleDraft, id: number): Schedule => ({
  ...draft,
  id,
  nextRuns: [],
  lastRun: null,
  alert: notEvaluated,
})
const filmsFull: Schedule = {
  id: 1,
  name: 'Films full',
  cron: '0 0 0 ? * MON',
  paused: false,
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 75, resourceIds: [1] },
  nextRuns: [],
  lastRun: null,
  alert: notEvaluated,
}

const channelOf = ({ isTested, ...draft }: ChannelDraft, id: number): NotificationChannel => ({
  ...draft,
  id,
  testedAt: isTested ? at : null,
  isWebhookLost: false,
})

const show = (alerts: Schedule[] = [], options: Options = {}) =>
  open('/alerts?tab=rules', {
    ...options,
    answers: [
      ...tableOf(channels, [], { rowOf: channelOf }),
      ...tableOf(schedules, alerts, { rowOf, listOf: (rows) => rows }),
      answer(schedules.preview, { times: [at], timeZone: 'UTC' }),
      answer(storages, storagePage),
      answer(projects.list, pageWith([alpine])),
      answer(reportChecks, [check]),
      answer(notifications.list, pageWith([])),
    ],
  })
const rowSays = (name: RegExp, text: RegExp) =>
  waitFor(async () => {
    const table = await screen.findByRole('table', { name: 'Alerts' })
    expect(within(table).getByRole('row', { name }).textContent).toMatch(text)
  })

test('without an email address the page says so, and links to the profile', async () => {
  const { person } = await show([], { user: { email: null } })
  await person.see("No email address, so alerts can't be emailed to you.")
  await person.see('No alerts yet. Get an email or webhook call when a storage or project fills up')
})

test('an alert at 85 percent watches all storages, including new ones', async () => {
  const { person, api } = await show()
  await person.press('Add alert')
  await person.write('Name', 'Nearly full')
  await person.see('Percent of the usable capacity')
  await person.write('Threshold', '120')
  await person.press('Save alert')
  await person.see('Threshold must be between 0 and 100')
  await person.write('Threshold', '85')
  await person.press('Save alert')
  await person.see('Alert Nearly full was created')
  await person.closed()
  await rowSays(/Nearly full/, /Storage space, 85 %All storages, including new onesNot evaluated yet/)
  expect(api.inputs(schedules.create)).toMatchObject([
    {
      body: {
        cron: '0 0 0 * * ?',
        jobClass: 'VOLUME_SPACE_ALERT',
        payload: { threshold: 85, resourceIds: [], all: true },
        delivery: { email: true, addresses: [], webhook: null },
      },
    },
  ])
})

test('an alert of selected storages needs one of them, and offers those with a capacity', async () => {
  const { person, api } = await show()
  await person.press('Add alert')
  await person.write('Name', 'Films full')
  await person.choose('Applies to', 'Selected storages')
  await person.press('Save alert')
  await person.see('You must select at least 1 resource')
  await person.pick('Storages', 'Films')
  expect(screen.queryByRole('option', { name: 'Bucket' })).toBeNull()
  await person.choose('Frequency', 'Weekly')
  await person.write('Time', '7:30')
  await person.press('Save alert')
  await person.closed()
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { cron: '0 30 7 ? * MON', payload: { threshold: 80, resourceIds: [1] } } },
  ])
})

test('growth is watched in percent or in bytes, within some days', async () => {
  const { person, api } = await show()
  await person.press('Add alert')
  await person.write('Name', 'Alpine grows')
  await person.choose('Type', 'Project space')
  await person.see('Percent of allocated size')
  await person.see('Also sent once, after the scan in which a project reaches the threshold.')
  await person.choose('Measure', 'Growth in percent')
  await person.write('Within', '0')
  await person.press('Save alert')
  await person.see('Days must be a whole number between 1 and 365')
  await person.write('Within', '14')
  await person.choose('Measure', 'Growth in bytes')
  await person.write('Growth', 'much')
  await person.press('Save alert')
  await person.see('Growth must be a whole number')
  await person.write('Growth', '50')
  await person.press('Save alert')
  await person.closed()
  await rowSays(/Alpine grows/, /Project space, \+50\.0 GiB in 14 days/)
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { payload: { growthDays: 14, growthBytes: 50 * 1024 ** 3, all: true } } },
  ])
})

test('failed scans and storages that were not scanned are watched, buckets too', async () => {
  const { person, api } = await show()
  await person.press('Add alert')
  await person.write('Name', 'Old snapshots')
  await person.choose('Type', 'Storage not scanned')
  await person.write('Days without a scan', '3')
  await person.choose('Applies to', 'Selected storages')
  await person.pick('Storages', 'Bucket')
  await person.press('Save alert')
  await person.closed()
  await rowSays(/Old snapshots/, /Storage not scanned, 3 days without a scanBucket/)
  await person.press('Add alert')
  await person.write('Name', 'Broken')
  await person.choose('Type', 'Failed scan')
  await person.see('Also sent once, after the scan that fails.')
  await person.press('Save alert')
  await person.closed()
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { jobClass: 'SCAN_OVERDUE_ALERT', payload: { days: 3, resourceIds: [2] } } },
    { body: { jobClass: 'SCAN_FAILED_ALERT', payload: { all: true } } },
  ])
})

test('an alert watches the check of a report, which has no threshold', async () => {
  const { person } = await show()
  await person.press('Add alert')
  await person.write('Name', 'Ransomware')
  await person.choose('Type', 'Report check')
  await person.seeNo('Percent of the usable capacity')
  await person.choose('Applies to', 'Selected reports')
  await person.pick('Reports', 'No ransomware')
  await person.press('Save alert')
  await person.closed()
  await rowSays(/Ransomware/, /Report checkNo ransomware/)
})

test('an alert goes to channels that are added and tested on the way, and needs a recipient', async () => {
  const { person, api } = await show()
  await person.press('Add alert')
  await person.press('Email to my address', 'checkbox')
  await person.press('Save alert')
  await person.see('Select at least one recipient')
  await person.press('Add channel')
  await person.write('Webhook URL', 'https://hooks.slack.com/services/T0/B0/x')
  api.answer(answer(channels.test, [{ to: 'Slack', error: null }]))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add channel' }))
  await person.pressAt(dialog.getByRole('button', { name: 'Send test' }))
  await person.see('Test sent to Slack')
  await person.press('Save channel')
  await person.see('Channel Slack was created')
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Slack' }).checked).toBe(true))
  expect(api.inputs(channels.create)).toMatchObject([{ body: { name: 'Slack', kind: 'SLACK', isTested: true } }])
  api.answer(answer(schedules.testDraft, [{ to: 'Slack', error: 'hooks.slack.com answered 404' }]))
  await person.press('Send test')
  await person.see('Test failed. Slack: hooks.slack.com answered 404')
  await person.press('Save alert')
  await person.see('Alert Storages at 80 % was created')
  expect(api.inputs(schedules.testDraft)).toMatchObject([{ body: { email: false, channelIds: [1] } }])
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { name: 'Storages at 80 %', delivery: { email: false, channelIds: [1] } } },
  ])
})

test('the list shows the state, its reason, and what became of each message', async () => {
  const alert: AlertStatus = {
    state: 'firing',
    evaluatedAt: at,
    reason: 'Films is at 92.3 %',
    lastSent: {
      at,
      reason: null,
      deliveries: [
        { to: 'Your address', state: 'failed', reason: '550 No such user' },
        { to: 'Webhook', state: 'sent', reason: null },
      ],
    },
    isWebhookLost: false,
    isOwnerDeleted: false,
  }
  const rows = [{ ...filmsFull, alert }]
  const { live } = await show(rows)
  await rowSays(/Films full/, /Firing.*Films is at 92\.3 %.*Failed · Your address550 No such userSent · Webhook/)
  rows[0] = { ...filmsFull, alert: { ...alert, state: 'ok', reason: null } }
  live.send('changed', { type: 'changed', topics: ['schedules'] })
  await rowSays(/Films full/, /OK/)
})

test('an alert that could not be sent says why', async () => {
  const lastRun = { dueAt: at, outcome: 'failed', jobId: null, jobStatus: null, mail: null } as const
  await show([{ ...filmsFull, lastRun: { ...lastRun, reason: 'The user has no email address' } }])
  await rowSays(/Films full/, /Not sent: The user has no email address/)
})

test('an alert is paused and tested in its row', async () => {
  const { person, api } = await show([filmsFull])
  await person.press('Films full is active', 'switch')
  await rowSays(/Films full/, /Paused/)
  expect(api.inputs(schedules.update)).toMatchObject([{ params: { id: 1 }, body: { paused: true } }])
  api.answer(answer(schedules.test, [{ to: 'Your email address', error: null }]))
  await person.press('Send test of alert Films full')
  await person.see('Test sent to Your email address')
  const button = screen.getByRole('button', { name: 'Send test of alert Films full' })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'))
  api.answer(answer(schedules.test, [{ to: 'Webhook', error: 'hooks.example.com answered 404' }]))
  await person.press('Send test of alert Films full')
  await person.see('Test of Films full failed. Webhook: hooks.example.com answered 404')
})

test('an edited alert keeps its type, and one with an expression of its own is shown as custom', async () => {
  const { person } = await show([filmsFull])
  await person.press('Edit alert Films full')
  expect(await person.isDisabled('Type', 'combobox')).toBe(true)
  await person.choose('Frequency', 'Custom')
  await person.write('Cron', '0 30 6 ? JAN TUE')
  await person.press('Save alert')
  await person.see('Alert Films full was updated')
  await person.closed()
  await rowSays(/Films full/, /At 06:30, only on Tuesday, only in January/)
})

test('an alert is deleted once that is confirmed', async () => {
  const { person, api } = await show([filmsFull])
  api.answer(refuse(schedules.remove, { message: 'The server is busy' }, 503))
  await person.press('Delete alert Films full')
  await person.see('Are you sure you want to delete alert Films full?')
  await person.press('Delete alert')
  await person.see('The server is busy')
})
