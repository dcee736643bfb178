import { Button } from '@mantine/core'
import { screen, waitFor } from '@testing-library/dom'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { users } from '#events/users/accounts.ts'
import { confirmCode, confirmIdentity } from '#events/users/session.ts'
import { call } from '#client/app/call.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { draw, type Options } from '#client/testing/render.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'

/** A screen that knows nothing of confirmations. */
function Screen() {
  const [result, show] = useState('')
  const remove = (id: number) =>
    call(users.remove, { params: { id } }).then(
      () => show('Deleted'),
      (error: Error) => show(error.message),
    )
  return (
    <FormDialog opened title="Users" onClose={() => show('Closed')}>
      <Button onClick={() => void remove(1)}>Delete</Button>
      <Button onClick={() => void Promise.all([remove(1), remove(2)])}>Delete both</Button>
      {result}
    </FormDialog>
  )
}

const unconfirmed = refuse(users.remove, { message: "Confirm that it's you, then try again", code: confirmCode }, 403)
const wrong = refuse(
  confirmIdentity,
  { message: 'Validation errors', subErrors: [{ field: 'password', message: 'is wrong' }] },
  400,
)
const password = () => screen.findByLabelText('Password', { selector: 'input' })

async function show(options: Options = {}) {
  const page = await draw(<Screen />, { answers: [unconfirmed], ...options })
  /** The server accepts the confirmation, and then the call. */
  const accept = () => page.api.answer(answer(confirmIdentity, () => void page.api.answer(answer(users.remove))))
  return { ...page, accept }
}

test('a call that needs a confirmation asks for the password, and is repeated once it is right', async () => {
  const { person, api, accept } = await show()
  await person.press('Delete')
  await person.see("Confirm it's you")
  await person.see("This change affects who has access. You won't be asked again for 5 minutes.")
  await person.press('Continue')
  await person.see('Password must not be blank')
  api.answer(wrong)
  await person.fill(await password(), 'another{Enter}')
  await person.see('Password is wrong')
  accept()
  await person.fill(await password(), 'the right one{Enter}')
  await person.see('Deleted')
  await person.seeNo("Confirm it's you")
  expect(api.inputs(confirmIdentity).map(({ body }) => body.password)).toEqual(['another', 'the right one'])
})

test('a user with a second factor confirms with a code too', async () => {
  const { person, api, accept } = await show({ user: { hasSecondFactor: true } })
  await person.press('Delete')
  await person.fill(await password(), 'the right one{Enter}')
  await person.see('Code must not be blank')
  accept()
  await person.fill(await screen.findByLabelText('Code', { selector: 'input' }), '123456{Enter}')
  await person.see('Deleted')
  expect(api.inputs(confirmIdentity).map(({ body }) => body)).toEqual([{ password: 'the right one', code: '123456' }])
})

test('several calls at once ask once', async () => {
  const { person, api, accept } = await show()
  accept()
  await person.press('Delete both')
  await person.fill(await password(), 'the right one{Enter}')
  await person.see('Deleted')
  await waitFor(() => expect(api.inputs(users.remove)).toHaveLength(4))
  expect(api.inputs(confirmIdentity)).toHaveLength(1)
})

test('Escape cancels the call and closes nothing else', async () => {
  const { person, api } = await show()
  await person.press('Delete')
  const field = await password()
  await waitFor(() => expect(document.activeElement).toBe(field))
  await person.keys('{Escape}')
  await person.see("Confirm that it's you, then try again")
  expect(screen.getAllByRole('dialog').map((dialog) => dialog.querySelector('h2')?.textContent)).toEqual(['Users'])
  expect(api.inputs(confirmIdentity)).toEqual([])
})

test('users of single sign-on sign in again in another tab, then continue', async () => {
  const { person, api, accept } = await show({ user: { isOfProvider: true } })
  await person.press('Delete')
  await person.see('Sign in again in a new tab, then continue here.')
  const link = screen.getByRole('link', { name: 'Sign in again' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/api/oidc/sign-in?again=true', '_blank'])
  api.answer(refuse(confirmIdentity, { message: 'Sign in again in the new tab first', code: 'sign-in-again' }, 403))
  await person.press('Continue')
  await person.see('Sign in again in the new tab first')
  accept()
  await person.press('Continue')
  await person.see('Deleted')
})
