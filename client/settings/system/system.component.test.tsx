import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agentInfos, agents } from '#events/agents.ts'
import { type Application, application, dailyLog, logs, restart } from '#events/administration.ts'
import {
  type ConfigurationEntry,
  type ConfigurationName,
  configurationKeys,
  configurationNames,
  configurations,
  isHashed,
} from '#events/configurations.ts'
import { sendTestEmail } from '#events/notifications/calls.ts'
import { snapshotList } from '#events/snapshots.ts'
import { today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, fail, hold, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { builtIn } from '#client/settings/testing.ts'
import { open } from '#client/testing/render.tsx'

const product: Application = {
  version: '5.2.0',
  build: 'a1b2c3',
  node: '26.0.0',
  upSince: `${today}T10:00:00.000Z`,
  settingsFolder: '/etc/dataintell',
  machine: {
    timeZone: 'Europe/Berlin',
    timeZoneSource: '/etc/localtime',
    memoryBytes: 8 * 1024 ** 3,
    memorySource: 'cgroup',
    proxies: ['proxy.example.com:3128 (HTTPS_PROXY)'],
    certificates: [],
  },
  stores: [
    { name: 'Postgres', isUp: true, version: '18.1' },
    { name: 'NATS', isUp: false, version: null },
  ],
}
const mailServer = { 'spring.mail.host': 'smtp.example.com', 'spring.mail.username': 'dataintell' }

/** Answers the configuration endpoints, and keeps updates. */
function configuration(changes: Partial<Record<ConfigurationName, string>> = {}) {
  const values = new Map(
    configurationNames.map((name) => [name, changes[name] ?? configurationKeys[name].defaultValue]),
  )
  const entries = (): ConfigurationEntry[] =>
    configurationNames.map((name) => ({
      name,
      description: configurationKeys[name].description,
      value: isHashed(name) ? null : (values.get(name) ?? ''),
      isHashed: isHashed(name),
      isSet: values.get(name) !== configurationKeys[name].defaultValue,
      isLost: false,
    }))
  return [
    answer(configurations.list, entries),
    answer(configurations.update, ({ body }) => {
      for (const { name, value } of body) values.set(name, value)
      return entries().filter(({ name }) => body.some((change) => change.name === name))
    }),
  ]
}

const show = (...answers: FakeAnswer[]) =>
  open('/settings', {
    answers: [
      ...configuration(mailServer),
      answer(application, product),
      answer(agentInfos, []),
      answer(agents.list, pageWith([builtIn])),
      answer(snapshotList, pageWith([])),
      ...answers,
    ],
  })
const showMail = (...answers: FakeAnswer[]) =>
  open('/settings/mail', { answers: [...configuration(mailServer), ...answers] })

const section = (title: string) => screen.findByRole('region', { name: title })
const buttonIn = async (title: string, name: string) => within(await section(title)).findByRole('button', { name })
const isOffIn = async (title: string, name: string) => (await buttonIn(title, name)).matches(':disabled')
const valueOf = async (field: string) => (await screen.findByRole<HTMLInputElement>('textbox', { name: field })).value

test('an API that answers is active, all agents are listed with their states, and its stores have their versions', async () => {
  const { person } = await show(
    answer(agentInfos, [
      {
        id: 2,
        name: 'South',
        version: '5.2.0',
        isActive: true,
        state: 'active',
        lastCheckedDate: null,
        lastActiveDate: `${today}T10:00:00.000Z`,
        runningTasks: 3,
        scanIds: [],
        machine: null,
        refused: null,
      },
    ]),
    answer(agents.list, pageWith([builtIn, { id: 2, name: 'South' }])),
  )
  await person.see('Settings folder/etc/dataintell')
  await person.see(/APIActiveBuilt-in agentBuilt inSouthActive · 5.2.0 · 3 tasks/)
  expect((await section('Application Information')).textContent).toMatch(
    /Version5.2.0Builda1b2c3Node26.0.0Up since.*Postgres18.1 ActiveNATS- Inactive/,
  )
})

test('an API that refuses a call while its socket is connected counts as unknown, not as away', async () => {
  const { person, live } = await show(refuse(application, { message: 'Too many requests' }, 429))
  await person.see('Too many requests')
  await waitFor(async () => expect((await section('API and agents')).textContent).toMatch(/APIUnknown/))
  live.close()
  await waitFor(async () => expect((await section('API and agents')).textContent).toMatch(/APIInactive/))
})

test('mail is not updated or tested while its settings are incomplete', async () => {
  const { person, api } = await showMail(...configuration())
  await person.see('Enter your mail server to send emails.')
  expect([await isOffIn('Email', 'Update'), await isOffIn('Email', 'Test')]).toEqual([true, true])
  await person.write('Hostname', '127.0.0.1')
  await person.see("Username can't be empty")
  await person.write('Username', 'dataintell')
  await person.write('From', 'nobody')
  await person.write('Port', '25a{Enter}')
  await person.see('Value must be a positive number')
  await person.see('From must be a well-formed email address')
  expect(await isOffIn('Email', 'Update')).toBe(true)
  await person.pressAt(await buttonIn('Email', 'Discard'))
  await person.seeNo('Value must be a positive number')
  expect([await valueOf('Port'), await valueOf('From')]).toEqual(['587', ''])
  expect(api.inputs(configurations.update)).toEqual([])
})

test('the mail server is saved before it is tested, and the answer of the mail server is shown', async () => {
  const { person, api } = await showMail(answer(sendTestEmail))
  await person.see('Sends a test email to your own address.')
  await person.write('Port', '2525')
  await person.choose('Encryption', 'None')
  await person.see('Save first: the test uses the saved settings.')
  expect(await isOffIn('Email', 'Test')).toBe(true)
  await person.pressAt(await buttonIn('Email', 'Update'))
  await person.see('The configurations were updated.')
  expect(api.inputs(configurations.update).map(({ body }) => body)).toEqual([
    [
      { name: 'spring.mail.port', value: '2525' },
      { name: 'spring.mail.properties.mail.smtp.starttls.enable', value: 'false' },
    ],
  ])
  await person.see('Sends a test email to your own address.')
  await person.pressAt(await buttonIn('Email', 'Test'))
  await person.see('The email configurations were tested successfully.')
  api.answer(refuse(sendTestEmail, { message: 'Nothing listens on 127.0.0.1:2525' }, 409))
  await waitFor(async () => expect(await isOffIn('Email', 'Test')).toBe(false))
  await person.pressAt(await buttonIn('Email', 'Test'))
  await person.see('Unable to test the email configurations: Nothing listens on 127.0.0.1:2525')
})

test('the password of the mail server is set on its own, and never shown', async () => {
  const { person, api } = await showMail()
  await person.see('Not set')
  await person.press('Set password')
  await person.see('Leave it empty to remove the password.')
  const field = await screen.findByLabelText('Password', { selector: 'input' })
  await person.fill(field, 'a password of the mail server')
  api.answer(fail(configurations.update, 503))
  await person.press('Save password')
  await person.see('Unable to update the password')
  api.answer(...configuration(mailServer))
  await person.press('Save password')
  await person.see('The password was updated.')
  await person.closed()
  await person.see('Set. It is never shown.')
  expect(api.inputs(configurations.update).at(-1)?.body).toEqual([
    { name: 'spring.mail.password', value: 'a password of the mail server' },
  ])
  await screen.findByRole('button', { name: 'Change password' })
})

test('a password that the server cannot decrypt has to be set again', async () => {
  const lost = { description: 'Mail password', value: null, isHashed: true, isSet: true, isLost: true }
  const { person } = await showMail(answer(configurations.list, [{ name: 'spring.mail.password', ...lost }]))
  await person.see('It was encrypted with a different server key. Set it again.')
  await person.see('Cannot be opened')
})

test('a section is updated once its changes are valid', async () => {
  const { person, api } = await show()
  await section('Data Retention')
  expect(within(await section('Data Retention')).queryByRole('button', { name: 'Update' })).toBeNull()
  await person.write('Job retention', '0')
  await person.see('Value must be a positive number')
  expect(await isOffIn('Data Retention', 'Update')).toBe(true)
  await person.write('Application URL', 'https://')
  await person.see("URL can't be empty")
  await person.write('Application URL', 'https://storage.example.com')
  await person.write('Job retention', '45')
  await person.pressAt(await buttonIn('General Configurations', 'Update'))
  await person.see('The configurations were updated.')
  await person.pressAt(await buttonIn('Data Retention', 'Update'))
  await person.seeNo('Discard')
  expect(api.inputs(configurations.update).map(({ body }) => body)).toEqual([
    [{ name: 'app.url', value: 'https://storage.example.com' }],
    [{ name: 'jobRetention', value: '45' }],
  ])
})

test('a saved value stays in its field until the settings are read again', async () => {
  const { person, api } = await show()
  await person.write('Application URL', 'https://storage.example.com')
  await person.write('Job retention', '45')
  api.answer(hold(configurations.list))
  await person.pressAt(await buttonIn('General Configurations', 'Update'))
  await person.see('The configurations were updated.')
  await person.pressAt(await buttonIn('Data Retention', 'Update'))
  await person.seeNo('Discard')
  expect([await valueOf('Application URL'), await valueOf('Job retention')]).toEqual([
    'https://storage.example.com',
    '45',
  ])
})

test('the change of another window is shown, except in fields with an unsaved edit', async () => {
  const { person, api, live } = await show()
  await person.write('Maximum waiting jobs', '7')
  api.answer(...configuration({ jobRetention: '46', jobQueuedLength: '8' }))
  live.send('changed', { type: 'changed', topics: ['configurations'] })
  await waitFor(async () => expect(await valueOf('Job retention')).toBe('46'))
  expect(await valueOf('Maximum waiting jobs')).toBe('7')
})

test('values that the server rejects are marked, and other refusals are a message', async () => {
  const { person, api } = await show()
  const subErrors = [{ field: 'app.url', message: 'URL leads nowhere' }]
  api.answer(refuse(configurations.update, { message: 'Validation errors', subErrors }, 400))
  await person.write('Application URL', 'https://storage.example.com')
  await person.pressAt(await buttonIn('General Configurations', 'Update'))
  await person.see('URL leads nowhere')
  await person.write('Application URL', 'https://other.example.com')
  await person.seeNo('URL leads nowhere')
  api.answer(fail(configurations.update, 503))
  await person.pressAt(await buttonIn('General Configurations', 'Update'))
  await person.see('Unable to update the configurations: ')
  expect(await valueOf('Application URL')).toBe('https://other.example.com')
})

test('a size is typed in its unit and kept in bytes', async () => {
  const { person, api } = await show()
  await person.write('Minimum duplicate size', '1.5')
  await person.see('Value must be a positive number')
  expect(await isOffIn('Scan', 'Update')).toBe(true)
  await person.write('Minimum duplicate size', '10')
  await person.choose('Unit of Minimum duplicate size', 'MiB')
  await person.press('Performance mode', 'switch')
  await person.pressAt(await buttonIn('Scan', 'Update'))
  await person.see('The configurations were updated.')
  expect(api.inputs(configurations.update).map(({ body }) => body)).toEqual([
    [
      { name: 'scan.tagDuplicate.minimumSize', value: '10485760' },
      { name: 'isPerformanceModeActive', value: 'true' },
    ],
  ])
  await waitFor(async () => expect(await valueOf('Minimum duplicate size')).toBe('10'))
})

test('the log is downloaded, whole or of the day', async () => {
  const { person, saved } = await show(
    answer(logs, { name: 'logs.zip', text: 'archive' }),
    answer(dailyLog, { name: 'server.2026-03-01.log', text: 'lines' }),
  )
  await person.press('Download logs')
  await person.press("Today's log")
  await waitFor(() =>
    expect(saved).toEqual([
      { name: 'logs.zip', text: 'archive' },
      { name: 'server.2026-03-01.log', text: 'lines' },
    ]),
  )
})

test('the API is restarted once that is confirmed', async () => {
  const { person, api } = await show(answer(restart))
  await person.press('Restart API')
  await person.see('Everyone is disconnected until the API is back. Scans resume where they left off.')
  await person.press('Cancel')
  await person.closed()
  expect(api.inputs(restart)).toEqual([])
  await person.press('Restart API')
  const confirm = async () =>
    person.pressAt(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restart API' }))
  await confirm()
  await person.see('The API will restart in 15 seconds. Please note that it will be down for a couple of minutes.')
  await person.closed()
  expect(api.inputs(restart)).toMatchObject([{ params: { id: 1 } }])
  api.answer(fail(restart, 409))
  await person.press('Restart API')
  await confirm()
  await person.see('Unable to restart the API.')
})
