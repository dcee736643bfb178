import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { draw } from '#client/testing/render.tsx'
import { DemoMark } from './DemoMark.tsx'

const page = (content: string) => {
  document.querySelector('meta[name="demo"]')?.remove()
  document.head.insertAdjacentHTML('beforeend', `<meta name="demo" content="${content}">`)
}

test('a demo is marked', async () => {
  page('northlight-demo')
  await draw(<DemoMark />)
  expect((await screen.findByText('Demo')).title).toBe(
    'All data is made up, other systems such as P5 are simulated, and nothing is sent.',
  )
})

test('the product itself is not marked', async () => {
  page('')
  await draw(
    <p>
      Figures <DemoMark />
    </p>,
  )
  await screen.findByText('Figures')
  expect(screen.queryByText('Demo')).toBeNull()
})
