import { globSync, readFileSync } from 'node:fs'
import { screen, waitFor } from '@testing-library/dom'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { draw } from '#client/testing/render.tsx'
import { FormDialog } from './FormDialog.tsx'

function Example() {
  const [opened, open] = useState(true)
  return (
    <>
      <button onClick={() => open(true)}>Open</button>
      <FormDialog opened={opened} title="Edit Films" onClose={() => open(false)}>
        <input aria-label="Name" data-autofocus />
        <input type="checkbox" aria-label="Nightly" />
        <Select label="Agent" data={['North', 'South']} />
      </FormDialog>
    </>
  )
}
const names = () => screen.queryAllByRole('dialog').map((dialog) => dialog.querySelector('h2')?.textContent)
const shows = (...titles: string[]) => waitFor(() => expect(names()).toEqual(titles))

test('Escape closes an untouched form', async () => {
  const { person } = await draw(<Example />)
  await shows('Edit Films')
  await person.keys('{Escape}')
  await person.closed()
  expect(names()).toEqual([])
})

test('Escape asks before it discards a text, and editing continues', async () => {
  const { person } = await draw(<Example />)
  await person.write('Name', 'Movies')
  await person.keys('{Escape}')
  await shows('Edit Films', 'Discard changes?')
  await person.see("Your changes haven't been saved.")
  await person.press('Keep editing')
  await shows('Edit Films')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Movies')
  await person.pressAt(screen.getByRole('textbox', { name: 'Name' }))
  await person.keys('{Escape}')
  await shows('Edit Films', 'Discard changes?')
  await person.press('Discard changes')
  await person.closed()
})

test.each([
  ['a checkbox', async (press: (name: string, role: string) => Promise<void>) => press('Nightly', 'checkbox')],
  [
    'an option of a list',
    async (press: (name: string, role: string) => Promise<void>) => {
      await press('Agent', 'combobox')
      await press('South', 'option')
    },
  ],
])('%s counts as a change, and Close asks too', async (_, change) => {
  const { person } = await draw(<Example />)
  await shows('Edit Films')
  await change(person.press)
  await person.press('Close')
  await waitFor(() => expect(names()).toEqual(['Edit Films', 'Discard changes?']))
})

test('Escape in an open list closes the list alone', async () => {
  const { person } = await draw(<Example />)
  await person.press('Agent', 'combobox')
  await screen.findByRole('option', { name: 'South' })
  await person.keys('{Escape}')
  await waitFor(() => expect(screen.queryByRole('option', { name: 'South' })).toBeNull())
  await waitFor(() => expect(names()).toEqual(['Edit Films']))
})

test('every dialog with a form asks before it discards changes', () => {
  const input = /<(DialogForm|FormInputs|Textarea|PasswordInput|NumberInput|NativeSelect)\b/
  const plain = globSync('client/**/*.tsx').filter((file) => {
    const text = readFileSync(file, 'utf8')
    return /<Dialog\b/.test(text) && input.test(text)
  })
  // A password that confirms who someone is, and a question about a path, can be typed again.
  const again = ['client/app/confirmation/ConfirmIdentity.tsx', 'client/settings/users/AccessButton.tsx']
  expect(plain.toSorted()).toEqual(again)
})
