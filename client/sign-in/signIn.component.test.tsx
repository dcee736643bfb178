import { screen, waitFor } from '@testing-library/dom'
import { expect, onTestFinished, test } from 'vitest'
import { changeOwnPassword } from '#events/users/accounts.ts'
import { currentUserInfo, login, loginInfo } from '#events/users/session.ts'
import { administrator } from '#client/testing/examples.ts'
import { answer, fail, refuse } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { secondFactor, secondFactorCode } from '#events/users/secondFactor.ts'
import { session } from '#client/app/session.state.ts'
import { SecondFactorPage } from './SecondFactorPage.tsx'
import { OwnPasswordPage } from './OwnPasswordPage.tsx'
import { SignInPage } from './SignInPage.tsx'

const info = (singleSignOn: boolean) => answer(loginInfo, { loginUrl: '/oauth2/authorization/oidc', singleSignOn })
const field = (label: string) => screen.findByLabelText(label, { selector: 'input' })

test('signing in needs a name and the right password', async () => {
  const { person, api } = await draw(<SignInPage />, { answers: [info(false)] })
  await person.press('Sign in')
  await person.see('Name must not be blank')
  await person.see('Password must not be blank')
  expect(screen.queryByRole('link', { name: 'Single sign-on' })).toBeNull()
  const message = 'Your account is disabled. Ask an administrator.'
  api.answer(refuse(login, { message }, 401))
  await person.write('Name', 'ana')
  await person.fill(await field('Password'), 'a password{Enter}')
  await person.see(message)
  api.answer(answer(login, administrator))
  await person.press('Sign in')
  await waitFor(() => expect(location.pathname).toBe('/'))
  expect(api.inputs(login).at(-1)?.body).toEqual({ name: 'ana', password: 'a password', code: '' })
})

test('a demo shows its sign-in, and has filled it in', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="demo" content="northlight-demo">')
  onTestFinished(() => document.querySelector('meta[name="demo"]')?.remove())
  const { person, api } = await draw(<SignInPage />, { answers: [info(false), answer(login, administrator)] })
  await person.see('Sign in as admin with the password northlight-demo. All data is made up. P5, StorNext,')
  await person.press('Sign in')
  await waitFor(() => expect(api.inputs(login)).toHaveLength(1))
  expect(api.inputs(login)[0]?.body).toMatchObject({ name: 'admin', password: 'northlight-demo' })
})

test('the sign-in requires the code of a second factor after the password', async () => {
  const { person, api } = await draw(<SignInPage />, { answers: [info(false)] })
  await person.write('Name', 'ana')
  await person.fill(await field('Password'), 'a password')
  expect(screen.queryByLabelText('Code')).toBeNull()
  api.answer(refuse(login, { message: 'Enter the code of your authenticator app', code: secondFactorCode }, 401))
  await person.press('Sign in')
  await waitFor(async () => expect(document.activeElement).toBe(await field('Code')))
  const message = 'The code is wrong or was used already. Wait for the next one.'
  api.answer(refuse(login, { message, code: 'wrong-code' }, 401))
  await person.fill(await field('Code'), '111111{Enter}')
  await person.see(message)
  expect((await field('Code')).getAttribute('aria-invalid')).toBe('true')
  api.answer(answer(login, administrator))
  await person.fill(await field('Code'), '222222{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/'))
  expect(api.inputs(login).map(({ body }) => body.code)).toEqual(['', '111111', '222222'])
})

test('a required second factor is set up before anything else, and the recovery codes are shown once', async () => {
  const { person, api } = await draw(<SecondFactorPage />, { user: { mustSetUpSecondFactor: true } })
  await person.see('Set up a second factor')
  api.answer(
    answer(secondFactor.begin, { secret: 'JBSWY3DPEHPK3PXP', address: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP' }),
  )
  await person.press('Set up')
  await person.see('JBSWY3DPEHPK3PXP')
  expect((await screen.findByRole('img', { name: 'QR code of the key' })).querySelector('path')).not.toBeNull()
  await person.press('Turn on')
  await person.see('Code must not be blank')
  api.answer(
    answer(secondFactor.turnOn, { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] }),
    answer(currentUserInfo, administrator),
  )
  await person.fill(await field('Code'), '123456{Enter}')
  await person.see(/aaaa-bbbb\s+cccc-dddd/)
  await person.press('I have saved them')
  await waitFor(() => expect(session.user?.mustSetUpSecondFactor).toBe(false))
})

test('the single sign-on is offered where there is one, and passwords work when it cannot be reached', async () => {
  await draw(<SignInPage />, { answers: [info(true)] })
  const link = await screen.findByRole('link', { name: 'Single sign-on' })
  expect(link.getAttribute('href')).toContain('/oauth2/authorization/oidc')
  const { person } = await draw(<SignInPage />, { answers: [fail(loginInfo)] })
  await person.see('Unable to reach the sign-in')
  await screen.findByRole('button', { name: 'Sign in' })
})

test('after a one-time password users choose their own before anything else', async () => {
  const { person, api } = await draw(<OwnPasswordPage />, { user: { mustChangePassword: true } })
  await person.see('Choose your own password')
  expect(screen.queryByLabelText('Current password')).toBeNull()
  await person.fill(await field('New password'), 'short')
  await person.fill(await field('Confirm new password'), 'another')
  await person.press('Change password')
  await person.see('New password must have at least 12 characters')
  await person.see('The passwords do not match')
  expect(api.inputs(changeOwnPassword)).toEqual([])
  api.answer(answer(changeOwnPassword), answer(currentUserInfo, administrator))
  for (const label of ['New password', 'Confirm new password'])
    await person.fill(await field(label), 'a password of my own')
  await person.press('Change password')
  await waitFor(() => expect(api.inputs(changeOwnPassword)).toHaveLength(1))
})

test('a password field says that Caps Lock is on', async () => {
  const { person } = await draw(<SignInPage />, { answers: [info(false)] })
  await person.pressAt(await field('Password'))
  await person.keys('{CapsLock}a')
  await person.see('Caps Lock is on.')
  await person.keys('{CapsLock}a')
  await waitFor(() => expect(screen.queryByText('Caps Lock is on.')).toBeNull())
})

test('a new password shows how strong it is while it is typed', async () => {
  const { person } = await draw(<OwnPasswordPage />, { user: { mustChangePassword: true } })
  const seen = async (password: string) => {
    await person.fill(await field('New password'), password)
    return document.querySelector('.mantine-PasswordInput-description')?.textContent
  }
  expect(await seen('short')).toBe('7 more characters needed.')
  expect(await seen('aaaaaaaaaaaa')).toBe('Weak: it repeats a few characters.')
  expect(await seen('correct horse')).toBe('Good. A longer one is stronger.')
  expect(await seen('correct horse battery')).toBe('Strong.')
})
