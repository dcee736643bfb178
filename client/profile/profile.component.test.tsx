import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { jobs } from '#events/jobs/calls.ts'
import {
  changeOwnEmail,
  type JobNotification,
  type JobNotificationDraft,
  notifications,
} from '#events/notifications/calls.ts'
import { channels, type NotificationChannel } from '#events/notifications/channels.ts'
import { projects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { changeOwnPassword } from '#events/users/accounts.ts'
import { type SecondFactor, secondFactor } from '#events/users/secondFactor.ts'
import { addressConfirmations } from '#events/notifications/addresses.ts'
import { currentUserInfo } from '#events/users/session.ts'
import { ownSessions, type Session } from '#events/users/sessions.ts'
import { administrator, today } from '#client/testing/examples.ts'
import { answer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { storagesOf } from '#client/settings/testing.ts'

const at = `${today}T10:00:00.000Z`

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
const notificationOf = (draft: JobNotificationDraft, id: number): JobNotification => ({
  ...draft,
  id,
  lastDelivery: null,
  isWebhookLost: false,
})
const team: NotificationChannel = {
  id: 7,
  name: 'Storage team',
  kind: 'SLACK',
  addresses: [],
  webhook: 'https://hooks.slack.com/••••••••',
  webhookTemplate: null,
  testedAt: at,
  isWebhookLost: false,
}
type ProfileData = { notificationRows?: JobNotification[]; sessions?: Session[]; factor?: SecondFactor }
const noFactor: SecondFactor = { isOn: false, since: null, recoveryCodes: 0, isRequired: false }
const factorOn: SecondFactor = { isOn: true, since: at, recoveryCodes: 9, isRequired: false }
const alertOf = (draft: ScheduleDraft, id: number): Schedule => ({
  ...draft,
  id,
  nextRuns: [],
  lastRun: null,
  alert: { state: null, evaluatedAt: null, reason: null, lastSent: null, isWebhookLost: false, isOwnerDeleted: false },
})
const noAlerts = [
  ...tableOf(schedules, [], { rowOf: alertOf, listOf: (rows) => rows }),
  answer(schedules.preview, { times: [at], timeZone: 'UTC' }),
  storagesOf([]),
  answer(projects.list, pageWith([])),
  answer(reportChecks, []),
]
const openProfile = ({ notificationRows = [], sessions = [session(1)], factor = noFactor }: ProfileData = {}) =>
  open('/profile', {
    answers: [
      ...tableOf(notifications, notificationRows, { rowOf: notificationOf }),
      ...noAlerts,
      answer(channels.list, pageWith([team])),
      answer(jobs.notifiable, ['SCAN_ON_PREMISES', 'GENERATE_REPORT']),
      answer(ownSessions.list, pageWith(sessions)),
      answer(secondFactor.show, factor),
    ],
  })
const row = async (table: string, name: string | RegExp) =>
  within(await screen.findByRole('table', { name: table })).getByRole('row', { name })
const rowSays = (table: string, name: string | RegExp, text: RegExp) =>
  waitFor(async () => expect((await row(table, name)).textContent).toMatch(text))

test('a profile without an address says what cannot be sent, and takes one', async () => {
  const { person, api } = await openProfile()
  await person.see("No email address, so alerts and notifications can't be sent")
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

test('alerts are added, edited and deleted', async () => {
  const { person } = await openProfile()
  await person.see('No alerts yet.')
  await person.press('Add alert')
  await person.write('Name', 'Nearly full')
  await person.press('Save alert')
  await person.see('Alert Nearly full was created')
  await person.closed()
  await person.press('Edit alert Nearly full')
  await person.write('Threshold', '85')
  await person.press('Save alert')
  await person.see('Alert Nearly full was updated')
  await person.closed()
  await rowSays('Alerts', /Nearly full/, /Storage space, 85 %/)
  await person.press('Delete alert Nearly full')
  await person.press('Delete alert')
  await person.see('Alert Nearly full was deleted')
  await person.see('No alerts yet.')
})

test('a job notification is added, edited and deleted', async () => {
  const { person } = await openProfile()
  await person.press('Add job notification')
  await person.press('Storage team', 'checkbox')
  await person.press('Save job notification')
  await person.see('The job notification has been created')
  await person.closed()
  const name = /Scan On-Premises/
  await rowSays('Job notifications', name, /AlwaysMy address, Storage team-/)
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
  const posted = { channelIds: [], webhook: null, webhookFormat: 'AUTO' as const, webhookTemplate: null }
  const draft = { type: 'GENERATE_REPORT' as const, status: 'ON_ERROR' as const, email: false, ...posted }
  await openProfile({ notificationRows: [{ ...notificationOf(draft, 1), lastDelivery: failed, isWebhookLost: true }] })
  await rowSays(
    'Job notifications',
    /Generate report/,
    /On errora webhook encrypted with a different server key.*Failed.*no address/,
  )
})

test('other browsers are signed out, one or all', async () => {
  const { person, api } = await openProfile({ sessions: [session(1), session(2, { userAgent: 'curl/8.1' })] })
  await rowSays('Sessions', /Firefox/, /Firefox on Linux This one/)
  expect(screen.queryByRole('button', { name: 'Sign out Firefox on Linux of admin' })).toBeNull()
  api.answer(answer(ownSessions.end), answer(ownSessions.endOthers, { ended: 1 }))
  await person.press('Sign out Script (curl) of admin')
  await person.see('Script (curl) was signed out')
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

test('a second factor is set up with its first code, and the recovery codes are shown before it closes', async () => {
  const { person, api } = await openProfile()
  const me = answer(currentUserInfo, { ...administrator, hasSecondFactor: true })
  api.answer(answer(secondFactor.begin, { secret: 'JBSWY3DPEHPK3PXP', address: 'otpauth://totp/x' }), me)
  await person.press('Set up second factor')
  await person.see('JBSWY3DPEHPK3PXP')
  api.answer(
    refuse(
      secondFactor.turnOn,
      { message: 'Validation errors', subErrors: [{ field: 'code', message: 'is wrong.' }] },
      400,
    ),
  )
  await person.write('Code', '000000{Enter}')
  await person.see('Code is wrong.')
  api.answer(answer(secondFactor.turnOn, { recoveryCodes: ['aaaa-bbbb'] }), answer(secondFactor.show, factorOn))
  await person.write('Code', '123456{Enter}')
  await person.see('aaaa-bbbb')
  await person.press('I have saved them')
  await person.see('The second factor is on; your other browsers were signed out')
  await person.see(/On since .+, 9 recovery codes left/)
})

test('a second factor is turned off after a question, unless it is required, and gets new recovery codes', async () => {
  const { person, api } = await openProfile({ factor: factorOn })
  api.answer(answer(secondFactor.renewCodes, { recoveryCodes: ['eeee-ffff'] }))
  await person.press('New recovery codes')
  await person.see('eeee-ffff')
  await person.press('I have saved them')
  await person.closed()
  await person.press('Turn off')
  const dialog = within(await screen.findByRole('dialog'))
  api.answer(answer(secondFactor.turnOff), answer(secondFactor.show, noFactor), answer(currentUserInfo, administrator))
  await person.pressAt(dialog.getByRole('button', { name: 'Turn off' }))
  await person.see('The second factor is off')
  await openProfile({ factor: { ...factorOn, isRequired: true, recoveryCodes: 1 } })
  await person.see(/1 recovery code left/)
  expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull()
})

test('an address that is not confirmed says so, and is confirmed with the code that is sent to it', async () => {
  const email = 'ana@example.com'
  const { person, api } = await open('/profile', {
    user: { email },
    answers: [
      ...tableOf(notifications, [], { rowOf: notificationOf }),
      ...noAlerts,
      answer(ownSessions.list, pageWith([session(1)])),
      answer(secondFactor.show, noFactor),
      answer(addressConfirmations.list, [email]),
      answer(addressConfirmations.send),
      refuse(addressConfirmations.confirm, {
        message: 'Validation errors',
        subErrors: [{ field: 'code', message: 'is wrong or no longer valid. Check it, or send a new one' }],
      }),
    ],
  })
  await person.see(`${email} is not confirmed, so it receives no emails.`)
  await person.press('Confirm address')
  await person.press('Send code')
  await person.see(`A code was sent to ${email}`)
  await person.write('Code', '123456')
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByRole('button', { name: 'Confirm address' }).click()
  await person.see('Code is wrong or no longer valid. Check it, or send a new one')
  api.answer(answer(addressConfirmations.confirm), answer(addressConfirmations.list, []))
  dialog.getByRole('button', { name: 'Confirm address' }).click()
  await person.see(`${email} was confirmed`)
  await person.closed()
  await person.seeNo(`${email} is not confirmed, so it receives no emails.`)
})
