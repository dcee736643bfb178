import { screen, waitFor, within } from '@testing-library/dom'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { draw } from '#client/testing/render.tsx'
import { Wizard, type WizardStep } from './Wizard.tsx'

const saved: string[] = []

/** Three steps, whose second one is checked when it is left: only the host "nas" answers. */
function Example({ savesEarly = false }) {
  const [at, onStep] = useState(0)
  const [name, setName] = useState('')
  const [host, setHost] = useState('')
  const steps: WizardStep[] = [
    {
      title: 'Name it',
      chosen: name,
      isValid: name !== '',
      content: <input aria-label="Name" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />,
    },
    {
      title: 'Connect',
      chosen: host,
      isValid: true,
      check: async () => host === 'nas',
      content: <input aria-label="Host" value={host} onChange={({ currentTarget }) => setHost(currentTarget.value)} />,
    },
    { title: 'Review', isValid: name !== '', content: <p>All of it</p> },
  ]
  const save = () => saved.push(name)
  return <Wizard title="Add" {...{ steps, at, onStep, savesEarly }} busy={false} onSave={save} onClose={() => {}} />
}
const current = () => screen.getByRole('listitem', { current: 'step' }).textContent
const isAt = (title: RegExp) => waitFor(() => expect(current()).toMatch(title))
const links = () => within(screen.getByRole('list', { name: 'Steps' })).queryAllByRole('button')
const isFocused = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name })))

test('steps that are not valid yet lead nowhere', async () => {
  await draw(<Example />)
  await isAt(/Name it/)
  expect(links()).toEqual([])
})

test('by keyboard, a step that is done opens from the list, and its first field has the focus', async () => {
  const { person } = await draw(<Example />)
  await person.write('Name', 'Films')
  await person.press('Next')
  await person.write('Host', 'nas')
  await person.press('Next')
  await isAt(/Review/)
  screen.getByRole('button', { name: /^Name it/ }).focus()
  await person.keys('{Enter}')
  await isAt(/Name it/)
  await isFocused('Name')
  // The choice of the step ahead stays in the list.
  expect(links().map(({ textContent }) => textContent)).toEqual(['Connectnas', '3Review'])
  await person.press(/^Review/)
  await isAt(/Review/)
})

test('steps ahead open as soon as those before them are valid, and their checks decide', async () => {
  const { person } = await draw(<Example />)
  await person.write('Name', 'Films')
  await person.press('Review')
  await isAt(/Connect/)
  await isFocused('Host')
  await person.write('Host', 'nas')
  await person.press('Review')
  await isAt(/Review/)
  expect(screen.getByText('All of it')).toBeDefined()
})

test('a step that became invalid does not open those ahead', async () => {
  const { person } = await draw(<Example />)
  await person.write('Name', 'Films')
  await person.press('Next')
  await person.press(/^Name it/)
  await isAt(/Name it/)
  await person.write('Name', '')
  await waitFor(() => expect(links()).toEqual([]))
})

test('once all steps are valid, the wizard saves from any of them, after their checks', async () => {
  const { person } = await draw(<Example savesEarly />)
  await isAt(/Name it/)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  await person.write('Name', 'Films')
  await person.press('Save')
  await isAt(/Connect/)
  expect(saved).toEqual([])
  await person.write('Host', 'nas')
  await person.press('Save')
  await waitFor(() => expect(saved).toEqual(['Films']))
})
