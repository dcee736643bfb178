import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { jobs } from '#events/jobs/calls.ts'
import {
  changeOwnEmail,
  type JobNotification,
  type JobNotificationDraft,
  notifications,
} from '#events/notifications/calls.ts'
import { type ListedProject, projects } from '#events/projects/calls.ts'
import { type CheckedReport, reportChecks } from '#events/reports/runs.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { type Storage, storages } from '#events/storages.ts'
import { changeOwnPassword } from '#events/users/accounts.ts'
import { currentUserInfo } from '#events/users/session.ts'
import { ownSessions, type Session } from '#events/users/sessions.ts'
import { administrator, today } from '#client/testing/examples.ts'
import { answer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const at = `${today}T10:00:00.000Z`

const films: Storage = {
  id: 1,
  name: 'Films',
  account: null,
  type: 'crawl.files',
  createdAt: at,
  stats: { capacityUsed: 1, capacityTotal: 2, capacityFree: 1, fileSystem: null },
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
const alpine: ListedProject = {
  id: 4,
  name: 'Alpine',
  description: '',
  allocatedSize: 1_000,
  sizeOfFiles: 10,
  numberOfFiles: 1,
  numberOfFolders: 1,
  lastAccessDate: null,
  lastModifiedDate: null,
  indexingDate: today,
  loadingReport: false,
  movedFolders: 0,
  costs: [],
}
const check: CheckedReport = {
  id: 6,
  name: 'No ransomware',
  state: null,
  reason: '',
  at: null,
  indexingDate: null,
  numberOfFilesFound: null,
  sizeOfFilesFound: null,
}
const session = (id: number, changes: Partial<Session> = {}): Session => ({
  id,
  userName: 'admin',
  address: '127.0.0.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  createdAt: at,
  lastSeenAt: at,
  isOwn: id === 1,
  ...changes,
})
const scheduleOf = (draft: ScheduleDraft, id: number): Schedule => ({ ...draft, id, nextRuns: [], lastRun: null })
const notificationOf = (draft: JobNotificationDraft, id: number): JobNotification => ({
  ...draft,
  id,
  lastDelivery: null,
  isWebhookLost: false,
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
}

type ProfileData = { alerts?: Schedule[]; notificationRows?: JobNotification[]; sessions?: Session[] }
const openProfile = ({ alerts = [], notificationRows = [], sessions = [session(1)] }: ProfileData = {}) =>
  open('/profile', {
    answers: [
      ...tableOf(schedules, alerts, { rowOf: scheduleOf, listOf: (rows) => rows }),
      ...tableOf(notifications, notificationRows, { rowOf: notificationOf }),
      answer(schedules.preview, { times: [`${today}T06:30:00.000Z`], timeZone: 'UTC' }),
      answer(storages, storagePage),
      answer(projects.list, pageWith([alpine])),
      answer(reportChecks, [check]),
      answer(jobs.notifiable, ['SCAN_ON_PREMISES', 'GENERATE_REPORT']),
      answer(ownSessions.list, sessions),
    ],
  })
const row = async (table: string, name: string | RegExp) =>
  within(await screen.findByRole('table', { name: table })).getByRole('row', { name })
const rowSays = (table: string, name: string | RegExp, text: RegExp) =>
  waitFor(async () => expect((await row(table, name)).textContent).toMatch(text))

test('a profile without an address says what cannot be sent, and takes one', async () => {
  const { person, api } = await openProfile()
  await person.see("No email address. Alerts and notifications can't be sent.")
  await person.see('No alerts yet.')
  await person.see('No job notifications yet.')
  await person.press('Add email')
  await person.write('Email', 'nobody')
  await person.press('Save email')
  await person.see('Email must be a well-formed email address')
  api.answer(answer(changeOwnEmail), answer(currentUserInfo, { ...administrator, email: 'ana@example.com' }))
  await person.write('Email', 'ana@example.com')
  await person.press('Save email')
  await person.closed()
  await person.see('ana@example.com')
  expect(api.inputs(changeOwnEmail)).toMatchObject([{ body: { email: 'ana@example.com' } }])
})

test('display settings apply at once, and this browser keeps them', async () => {
  const { person } = await openProfile()
  await person.see('1.46 KiB')
  await person.press('10 (kB, MB)', 'radio')
  await person.see('1.50 kB')
  await person.see('/mnt/projects/documentary/2026/november/rushes')
  await person.press('Condensed paths', 'switch')
  await person.seeNo('/mnt/projects/documentary/2026/november/rushes')
  await person.press('Condensed file and folder names', 'switch')
  await person.see('intervi…-07.mov')
  await person.press('Show hidden directories', 'switch')
  await person.see('rushes, .cache, .trash')
  expect({ ...localStorage }).toMatchObject({
    sizeBase: '10',
    isPathCondensed: 'true',
    isNameCondensed: 'true',
    showHiddenFoldersFileManagement: 'true',
  })
})

test('an alert needs something to watch and a threshold that can be reached', async () => {
  const { person, api } = await openProfile()
  await person.press('Add alert')
  await person.write('Name', 'Films full')
  await person.choose('Type', 'Project space')
  await person.see('Of the allocated size, in percent')
  await person.choose('Type', 'Volume space')
  await person.write('Threshold', '120')
  await person.press('Save alert')
  await person.see('You must select at least 1 resource')
  await person.see('Threshold must be between 0 and 100')
  expect(api.inputs(schedules.create)).toEqual([])
  await person.write('Threshold', '75')
  await person.pick('Storages', 'Films')
  expect(screen.queryByRole('option', { name: 'Bucket' })).toBeNull()
  await person.choose('Frequency', 'Weekly')
  await person.press('Save alert')
  await person.see('Alert Films full was created')
  await person.closed()
  await rowSays('Alerts', /Films full/, /Volume space75 %Films.*only on Monday/)
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { cron: '0 0 0 ? * MON', payload: { threshold: 75, resourceIds: [1] } } },
  ])
})

test('an alert watches the growth of a project within some days', async () => {
  const { person } = await openProfile()
  await person.press('Add alert')
  await person.write('Name', 'Alpine grows')
  await person.choose('Type', 'Project space')
  await person.see('Also sent once, after the scan in which a project reaches the threshold.')
  await person.pick('Projects', 'Alpine')
  await person.choose('Watches', 'Growth')
  await person.write('Threshold', '20')
  await person.write('Within', '0')
  await person.press('Save alert')
  await person.see('Days must be a whole number between 1 and 365')
  await person.write('Within', '14')
  await person.press('Save alert')
  await person.closed()
  await rowSays('Alerts', /Alpine grows/, /Project space\+20 % in 14 daysAlpine/)
})

test('an alert watches the check of a report, which has no threshold', async () => {
  const { person } = await openProfile()
  await person.press('Add alert')
  await person.write('Name', 'Ransomware')
  await person.choose('Type', 'Report check')
  await person.seeNo('Percent of the usable capacity')
  await person.pick('Reports', 'No ransomware')
  await person.press('Save alert')
  await person.closed()
  await rowSays('Alerts', /Ransomware/, /Report check-No ransomware/)
})

test('an edited alert keeps its type, and one with an expression of its own is shown as custom', async () => {
  const { person } = await openProfile({ alerts: [filmsFull] })
  await person.press('Edit alert Films full')
  expect(await person.isDisabled('Type', 'combobox')).toBe(true)
  await person.choose('Frequency', 'Custom')
  await person.write('Cron', '0 30 6 ? * TUE')
  await person.see('At 06:30, only on Tuesday')
  await person.press('Save alert')
  await person.see('Alert Films full was updated')
  await person.closed()
  await rowSays('Alerts', /Films full/, /0 30 6 \? \* TUE/)
})

test('an alert is deleted once that is confirmed', async () => {
  const { person } = await openProfile({ alerts: [filmsFull] })
  await person.press('Delete alert Films full')
  await person.see('Are you sure you want to delete alert Films full?')
  await person.press('Delete alert')
  await person.see('Alert Films full was deleted')
  await person.see('No alerts yet.')
})

test('a job notification is added, edited and deleted, with its refusals', async () => {
  const { person } = await openProfile()
  await person.press('Add job notification')
  await person.write('Webhook', 'nowhere')
  await person.press('Save job notification')
  await person.see('Webhook must be an http or https address')
  await person.write('Webhook', 'https://hooks.example.com/jobs')
  await person.press('Save job notification')
  await person.see('The job notification has been created')
  await person.closed()
  const name = /Scan On-Premises/
  await rowSays('Job notifications', name, /AlwaysYeshttps:\/\/hooks.example.com\/jobs-/)
  await person.press('Edit job notification for Scan On-Premises')
  await person.choose('Status', 'On warning')
  await person.press('Save job notification')
  await person.see('The job notification has been updated')
  await person.closed()
  await rowSays('Job notifications', name, /On warning/)
  await person.press('Delete job notification for Scan On-Premises')
  await person.see('Are you sure you want to delete the job notification for Scan On-Premises?')
  await person.press('Delete job notification')
  await person.see('The job notification has been deleted')
  await person.see('No job notifications yet.')
})

test('a notification says what became of its last delivery', async () => {
  const failed = { at, state: 'failed' as const, reason: 'no address' }
  const posted = { webhook: null, webhookFormat: 'AUTO', webhookTemplate: null } as const
  const draft = { type: 'GENERATE_REPORT', status: 'ON_ERROR', email: false, ...posted } as const
  await openProfile({ notificationRows: [{ ...notificationOf(draft, 1), lastDelivery: failed, isWebhookLost: true }] })
  await rowSays(
    'Job notifications',
    /Generate report/,
    /On errorNoEncrypted with a different server key.*Failed.*no address/,
  )
})

test('other browsers are signed out, one or all', async () => {
  const { person, api } = await openProfile({ sessions: [session(1), session(2, { userAgent: 'curl/8.1' })] })
  await rowSays('Sessions', /Firefox/, /Firefox on Linux This one/)
  expect(screen.queryByRole('button', { name: 'Sign out Firefox on Linux of admin' })).toBeNull()
  api.answer(answer(ownSessions.end), answer(ownSessions.endOthers, { ended: 1 }))
  await person.press('Sign out curl of admin')
  await person.see('curl was signed out')
  expect(api.inputs(ownSessions.end)).toMatchObject([{ params: { id: 2 } }])
  await person.press('Sign out all others')
  await person.see('1 browser signed out')
})

test('a new password has to be long enough and the same twice', async () => {
  const { person, api } = await openProfile()
  await person.press('Change password')
  const dialog = within(await screen.findByRole('dialog'))
  const fill = async (label: string, text: string) => person.fill(dialog.getByLabelText(label), text)
  await fill('Current password', 'a password of before')
  await fill('New password', 'a password of my own')
  await fill('Confirm new password', 'another')
  const save = dialog.getByRole('button', { name: 'Change password' })
  await person.pressAt(save)
  await person.see('The passwords do not match')
  await fill('Confirm new password', 'a password of my own')
  const subErrors = [{ field: 'currentPassword', message: 'is wrong' }]
  api.answer(refuse(changeOwnPassword, { message: 'Validation errors', subErrors }, 400))
  await person.pressAt(save)
  await person.see('Current password is wrong')
  api.answer(answer(changeOwnPassword))
  await person.pressAt(save)
  await person.see('The password was changed; your other browsers were signed out')
})
