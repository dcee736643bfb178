import { screen } from '@testing-library/dom'
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
