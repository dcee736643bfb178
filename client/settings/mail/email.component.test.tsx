import { expect, test } from 'vitest'
import { type ConfigurationEntry, configurations } from '#events/configurations.ts'
import { answer } from '#client/testing/fakeApi.ts'
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
