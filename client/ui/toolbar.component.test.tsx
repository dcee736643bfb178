import { screen, waitFor } from '@testing-library/dom'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { draw } from '#client/testing/render.tsx'
import { Toolbar } from './Toolbar.tsx'

function Example() {
  const [isMore, setMore] = useState(false)
  return (
    <Toolbar label="Selection">
      <button onClick={() => setMore(true)}>Select</button>
      <button disabled={!isMore}>Tag</button>
      <button>Archive</button>
    </Toolbar>
  )
}
const focused = () => document.activeElement?.textContent
const stops = () => screen.getAllByRole('button').flatMap((button) => (button.tabIndex === 0 ? button.textContent : []))

test('a toolbar is one tab stop, and arrow keys, Home and End move among its usable buttons', async () => {
  const { person } = await draw(<Example />)
  const select = await screen.findByRole('button', { name: 'Select' })
  select.focus()
  await person.keys('{ArrowRight}')
  expect([focused(), stops()]).toEqual(['Archive', ['Tag', 'Archive']])
  await person.keys('{Home}{Enter}')
  await waitFor(() => expect(stops()).toEqual(['Select']))
  await person.keys('{ArrowRight}')
  expect([focused(), stops()]).toEqual(['Tag', ['Tag']])
  await person.keys('{End}{ArrowRight}')
  expect(focused()).toBe('Archive')
})
