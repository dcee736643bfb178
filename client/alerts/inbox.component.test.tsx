import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type ChannelDraft, channels, mailState, type NotificationChannel } from '#events/notifications/channels.ts'
import { signingSecret } from '#events/notifications/webhooks.ts'
import { notifications } from '#events/notifications/calls.ts'
import { projects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { type Incident, incidents } from '#events/schedules/incidents.ts'
import { type Schedule, schedules } from '#events/schedules/calls.ts'
import { storagesOf } from '#client/settings/testing.ts'
import { today } from '#client/testing/examples.ts'
import { answer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

const at = `${today}T10:44:00.000Z`
const space: Schedule = {
  id: 1,
  name: 'Space',
  cron: '0 0 0 ? * MON',
  paused: false,
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 90, resourceIds: [], all: true },
  nextRuns: [`${today}T11:20:00.000Z`],
  lastRun: null,
  alert: {
    state: 'firing',
    evaluatedAt: `${today}T11:10:00.000Z`,
    firingSince: at,
    reason: 'Renders is at 93.6 %',
    lastSent: null,
    isWebhookLost: false,
    isOwnerDeleted: false,
  },
}
const incident = (id: number, more: Partial<Incident> = {}): Incident => ({
  id,
  alertId: 1,
  watchedId: 7,
  text: 'Renders is at 93.6 %',
  startedAt: at,
  endedAt: null,
  mute: null,
  ...more,
})
const channelOf = ({ isTested, ...draft }: ChannelDraft, id: number): NotificationChannel => ({
  ...draft,
  id,
  testedAt: isTested ? at : null,
  isWebhookLost: false,
})

const show = (options: Options & { firing?: Incident[]; alerts?: Schedule[] } = {}, path = '/alerts') => {
  const { firing = [], alerts = [space], ...rest } = options
  return open(path, {
    ...rest,
    answers: [
      answer(schedules.list, alerts),
      answer(schedules.preview, { times: [at], timeZone: 'UTC' }),
      answer(incidents.firing, firing),
      ...tableOf(channels, [], { rowOf: channelOf }),
      storagesOf([[7, 'Renders', 'crawl.files']]),
      answer(projects.list, pageWith([])),
      answer(reportChecks, []),
      answer(notifications.list, pageWith([])),
    ],
  })
}
const rows = async () =>
  within(await screen.findByRole('grid', { name: 'Firing alerts' }))
    .getAllByRole('row')
    .slice(1)

test('the inbox says what fires, since when, and what to do', async () => {
  const firing = [incident(1, { mute: { until: null }, text: 'Homes is at 91 %' }), incident(2)]
  await show({ firing })
  const [first, second] = await rows()
  expect(first?.textContent).toMatch(/Renders is at 93\.6 %.*Space.*10:44.*See what can be moved/)
  expect(second?.textContent).toMatch(/Homes is at 91 %.*muted until fixed/)
  const link = within(first!).getByRole('link', { name: 'See what can be moved' })
  expect(link.getAttribute('href')).toBe('/volumes/7')
})

test('a mass change leads to its folder as it is now, and its rule has no times', async () => {
  const mass: Schedule = {
    ...space,
    name: 'Mass changes',
    jobClass: 'MASS_CHANGE_ALERT',
    payload: { files: 1_000, resourceIds: [], all: true },
  }
  const text = '2,310 files were deleted in 2 minutes in Renders › /sh010'
  const { person } = await show({ firing: [incident(1, { text, path: '/sh010' })], alerts: [mass] })
  const [row] = await rows()
  expect(row?.textContent).toContain(text)
  const link = within(row!).getByRole('link', { name: 'See the folder as it is now' })
  expect(link.getAttribute('href')).toBe('/filemanagement?volumeId=7&path=%2Fsh010&date=now')
  await person.press('Rules', 'tab')
  const rules = await screen.findByRole('table', { name: 'Alerts' })
  await waitFor(() =>
    expect(rules.textContent).toMatch(
      /Mass deletion, renaming or rewriting, 1,000 files in 5 minutes.*While files change/,
    ),
  )
})

test('j and k move, m mutes and Enter opens the history with durations', async () => {
  const { person, api } = await show({ firing: [incident(1), incident(2, { text: 'Homes is at 91 %', watchedId: 8 })] })
  await rows()
  await person.keys('j')
  await waitFor(async () => expect(document.activeElement).toBe((await rows())[0]))
  await person.keys('j')
  await waitFor(async () => expect(document.activeElement).toBe((await rows())[1]))
  api.answer(answer(incidents.mute), answer(incidents.history, [incident(5, { endedAt: `${today}T12:50:00.000Z` })]))
  await person.keys('m')
  await person.see(/Homes is at 91 %\. No messages are sent about it for this time/)
  await person.press('1 day')
  await person.see('Muted: Homes is at 91 %. Messages resume in 1 day.')
  await person.closed()
  expect(api.inputs(incidents.mute)).toMatchObject([{ params: { id: 2 }, body: { time: 'DAY' } }])
  await waitFor(async () => expect(document.activeElement).toBe((await rows())[1]))
  await person.keys('{Enter}')
  const history = await screen.findByRole('table', { name: 'History' })
  expect(history.textContent).toMatch(/Renders is at 93\.6 %.*10:44.*12:50.*2 h 06 min/)
})

test('a muted alert is unmuted in its row, and the list follows', async () => {
  const firing = [incident(1, { mute: { until: `${today}T12:44:00.000Z` } })]
  const { person, api, live } = await show({ firing })
  await person.see(/muted to .*12:44/)
  api.answer(answer(incidents.unmute))
  await person.press('Unmute: Renders is at 93.6 %')
  await waitFor(() => expect(api.inputs(incidents.unmute)).toMatchObject([{ params: { id: 1 } }]))
  firing[0] = incident(1)
  live.send('changed', { type: 'changed', topics: ['schedules'] })
  await screen.findByRole('button', { name: 'Mute: Renders is at 93.6 %' })
})

test('firing is followed by its start, and the last check is in the tooltip', async () => {
  const { person, api } = await show({}, '/alerts?tab=rules')
  api.answer(answer(incidents.history, []))
  const since = await screen.findByText((_, element) => element?.textContent === `since ${today} 10:44`)
  expect(since.title).toBe(`Last check ${today} 11:10`)
  await person.press('History of alert Space')
  await person.see('This alert never fired.')
})

test('nothing firing says when it was checked last, and a check that failed when it is tried again', async () => {
  const unknown = {
    ...space.alert!,
    state: 'unknown' as const,
    firingSince: null,
    reason: 'The capacity of Renders is not known',
  }
  const { person } = await show({ alerts: [{ ...space, alert: unknown }] })
  await person.see(`Nothing is firing. Last check ${today} 11:10.`)
  await person.see(/Checked .*11:10, next try .*11:20/)
})

test('without alerts the page says what they are for', async () => {
  const { person } = await show({ alerts: [] })
  await person.see(/Nothing is watched yet\. Add an alert to learn when a storage or project fills up/)
})

test('a list that cannot be loaded offers to retry', async () => {
  const { person, api } = await show()
  api.answer(refuse(incidents.firing, { message: 'The server is busy' }, 503))
  await person.press('Rules', 'tab')
  await person.press('Firing', 'tab')
  await person.see('The server is busy')
})

test('without a mail server the page says so and links to the setting', async () => {
  const { person, api, live } = await show()
  api.answer(answer(mailState, { isSetUp: false }))
  live.send('changed', { type: 'changed', topics: ['configurations'] })
  await person.see('Set up a mail server')
  expect(screen.getByRole('link', { name: 'Set up a mail server' }).getAttribute('href')).toMatch(/mail/)
})

test('channels are added, edited, tested and deleted on their own tab', async () => {
  const { person, api } = await show()
  await person.press('Channels', 'tab')
  await person.see('No channels yet.')
  await person.press('Add channel')
  await person.choose('Service', 'JSON with all data')
  await person.write('Name', 'Night shift')
  await person.press('Save channel')
  await person.see('Webhook URL is required')
  await person.write('Webhook URL', 'https://hooks.example.com/7')
  api.answer(answer(signingSecret, { secret: 'whsec_c2VjcmV0' }))
  await person.press('Show signing secret')
  await person.see('whsec_c2VjcmV0')
  await person.choose('Service', 'Slack')
  await person.seeNo('whsec_c2VjcmV0')
  await person.press('Save channel')
  await person.closed()
  await person.see('Not yet')
  api.answer(answer(channels.test, [{ to: 'Night shift', error: null }]))
  await person.press('Send test to Night shift')
  await person.see('Test sent to Night shift')
  await waitFor(() => expect(api.inputs(channels.update)).toMatchObject([{ body: { isTested: true } }]))
  await person.press('Delete Night shift')
  await person.see('Alerts and job notifications no longer send to Night shift. They stay.')
  await person.press('Delete channel')
  await person.see('Channel Night shift was deleted')
})

test('only administrators add addresses of others', async () => {
  const { person } = await show({ roles: [] }, '/alerts?tab=channels')
  await person.press('Add channel')
  await person.choose('Service', 'Email')
  await person.see(/Only administrators send to other addresses/)
  expect(screen.queryByRole('textbox', { name: 'Email addresses' })).toBeNull()
})
