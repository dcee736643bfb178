import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import {
  type ConfigurationEntry,
  configurationKeys,
  type ConfigurationName,
  configurationNames,
  configurations,
  isHashed,
} from '#events/configurations.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { EmailSection } from './EmailSection.tsx'

const password = (changes: Partial<ConfigurationEntry>): ConfigurationEntry => ({
  name: 'spring.mail.password',
  description: 'Password of the mail server',
  value: null,
  isHashed: true,
  isSet: true,
  isLost: false,
  ...changes,
})
const show = (entry: ConfigurationEntry) =>
  draw(<EmailSection />, { answers: [answer(configurations.list, [entry]), answer(configurations.update, [])] })

/** All entries, set up for a server with a password. */
const entries = configurationNames.map((name): ConfigurationEntry => {
  const stored: Partial<Record<ConfigurationName, string>> = {
    'spring.mail.host': 'mail.example.com',
    'spring.mail.username': 'ana',
  }
  const { description, defaultValue } = configurationKeys[name]
  const value = isHashed(name) ? null : (stored[name] ?? defaultValue)
  const isSet = name === 'spring.mail.password' || name in stored
  return { name, description, value, isHashed: isHashed(name), isSet, isLost: false }
})

test('a stored password is entered again for another server', async () => {
  const message = 'Mail password must be entered again, because it would be sent elsewhere or differently'
  const { person, api } = await draw(<EmailSection />, {
    answers: [
      answer(configurations.list, entries),
      refuse(
        configurations.update,
        { message: 'Validation errors', subErrors: [{ field: 'spring.mail.password', message }] },
        400,
      ),
    ],
  })
  await person.see('Set. It is never shown.')
  await person.seeNo('Password again')
  await person.write('Hostname', 'new.example.com')
  await person.see('The stored password is for the saved server and encryption.')
  await person.press('Update')
  await person.see(message)
  api.answer(answer(configurations.update, []))
  await person.fill(screen.getByLabelText('Password again', { selector: 'input' }), 'secret')
  await person.press('Update')
  await person.see('The configurations were updated.')
  await person.seeNo('Password again')
  expect(api.inputs(configurations.update).at(-1)?.body).toEqual([
    { name: 'spring.mail.host', value: 'new.example.com' },
    { name: 'spring.mail.password', value: 'secret' },
  ])
})

test('the password of the mail server says whether it is set, and asks for it again once it was lost', async () => {
  await (await show(password({ isSet: false }))).person.see('Not set')
  await (await show(password({}))).person.see('Set. It is never shown.')
  const { person, api } = await show(password({ isLost: true }))
  await person.see('It was encrypted with a different server key. Set it again.')
  await person.see('Cannot be opened')
  await person.press('Change password')
  await person.press('Save password')
  await person.see('The password was updated.')
  expect(api.inputs(configurations.update)).toMatchObject([{ body: [{ name: 'spring.mail.password', value: '' }] }])
})

test('the settings of Microsoft 365 and Google are shown once their sign-in is chosen', async () => {
  const stored = entries.map((entry) => (entry.name === 'spring.mail.password' ? { ...entry, isSet: false } : entry))
  const { person, api } = await draw(<EmailSection />, {
    answers: [answer(configurations.list, stored), answer(configurations.update, [])],
  })
  await person.see('Set password')
  for (const name of ['Tenant', 'Client ID', 'Client secret', 'Service account key']) await person.seeNo(name)
  await person.choose('Sign-in method', 'Google Workspace (OAuth)')
  await person.press('Set service account key')
  await person.see('Paste the whole JSON file of the key. Leave it empty to remove the service account key.')
  await person.press('Save service account key')
  await person.see('The service account key was updated.')
  await person.choose('Sign-in method', 'Microsoft 365 (OAuth)')
  await person.seeNo('Set password')
  await person.write('Tenant', 'a b')
  await person.see('Tenant must be an ID or a domain')
  await person.write('Tenant', 'example.onmicrosoft.com')
  await person.write('Client ID', 'client-7')
  await person.see('Set client secret')
  await person.press('Update')
  await person.see('The configurations were updated.')
  expect(api.inputs(configurations.update).map(({ body }) => body)).toEqual([
    [{ name: 'mailServiceKey', value: '' }],
    expect.arrayContaining([
      { name: 'mailSignIn', value: 'microsoft' },
      { name: 'mailTenant', value: 'example.onmicrosoft.com' },
      { name: 'mailClientId', value: 'client-7' },
    ]),
  ])
})

test('a stored secret of a sign-in that is not chosen is entered again, too, for another server', async () => {
  const stored = entries.map((entry) => (entry.name === 'mailClientSecret' ? { ...entry, isSet: true } : entry))
  const { person } = await draw(<EmailSection />, { answers: [answer(configurations.list, stored)] })
  await person.see('Change password')
  await person.write('Hostname', 'new.example.com')
  await person.see('Password again')
  await person.see('Client secret again')
})

const smtp = 'spring.mail.properties.mail.smtp'
test.each([
  ['TLS from the start', { [`${smtp}.ssl.enable`]: 'true', [`${smtp}.starttls.enable`]: 'false' }],
  ['STARTTLS required', { [`${smtp}.starttls.required`]: 'true' }],
  ['None', { [`${smtp}.starttls.enable`]: 'false' }],
])('the encryption %s sets the settings of the mail server', async (choice, written) => {
  const { person, api } = await draw(<EmailSection />, {
    answers: [answer(configurations.list, entries), answer(configurations.update, [])],
  })
  await person.choose('Encryption', choice)
  await person.press('Update')
  await person.see('The configurations were updated.')
  const [{ body } = { body: [] }] = api.inputs(configurations.update)
  expect(Object.fromEntries(body.map(({ name, value }) => [name, value]))).toEqual(written)
})

test('an empty form names no error before anything is typed', async () => {
  const empty = entries.map((entry) => (entry.name === 'spring.mail.host' ? { ...entry, value: '' } : entry))
  const { person } = await draw(<EmailSection />, { answers: [answer(configurations.list, empty)] })
  await person.see('Enter your mail server to send emails.')
  await person.seeNo("Hostname can't be empty")
  await person.write('From', 'ana@example.com')
  await waitFor(() => expect(document.body.textContent).toContain("Hostname can't be empty"))
})
