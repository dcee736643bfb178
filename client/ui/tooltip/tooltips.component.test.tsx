import { fireEvent, screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { draw } from '#client/testing/render.tsx'
import { Tooltips } from './Tooltips.tsx'

const show = () =>
  draw(
    <>
      <button aria-label="Copy path" title="Copy path of the folder">
        +
      </button>
      <a href="/films">
        <span title="/mnt/films/a long path">…/a long path</span>
      </a>
      <p title="1,204 bytes">1.2 kB</p>
      <button>Plain</button>
      <Tooltips />
    </>,
  )
const tooltip = () => screen.queryByRole('tooltip')?.textContent
const seeTooltip = (text: string | undefined) => waitFor(() => expect(tooltip()).toBe(text))

test('the keyboard focus shows the tooltip of a control, or of the text in it, and Escape hides it', async () => {
  const { person } = await show()
  await screen.findByText('Plain')
  await person.tab()
  await seeTooltip('Copy path of the folder')
  expect(screen.getByRole('button', { name: 'Copy path' }).getAttribute('aria-description')).toBe(
    'Copy path of the folder',
  )
  await person.tab()
  await seeTooltip('/mnt/films/a long path')
  await person.keys('{Escape}')
  await seeTooltip(undefined)
  await person.tab()
  expect(tooltip()).toBeUndefined()
})

test('the pointer shows it after it has rested, instead of the tooltip of the browser, until Escape', async () => {
  const { person } = await show()
  const size = await screen.findByText('1.2 kB')
  await person.hoverAt(size)
  expect(size.hasAttribute('title')).toBe(false)
  await seeTooltip('1,204 bytes')
  await person.keys('{Escape}')
  await seeTooltip(undefined)
  await person.hoverAt(screen.getByText('Plain'))
  expect([size.title, size.hasAttribute('aria-description')]).toEqual(['1,204 bytes', false])
})

test('a press that moves the focus to a field shows none, and typing hides that of the field', async () => {
  const { person } = await draw(
    <>
      <button onClick={() => screen.getByRole('textbox').focus()}>More</button>
      <input title="Finds names that contain all words" />
      <Tooltips />
    </>,
  )
  await person.press('More')
  const field = screen.getByRole('textbox')
  expect(document.activeElement).toBe(field)
  expect(tooltip()).toBeUndefined()
  await person.keys('{Shift>}{Tab}{/Shift}{Tab}')
  await seeTooltip('Finds names that contain all words')
  await person.keys('a')
  await seeTooltip(undefined)
})

test('a touch shows it', async () => {
  await show()
  const size = await screen.findByText('1.2 kB')
  fireEvent(size, Object.assign(new Event('pointerdown', { bubbles: true }), { pointerType: 'touch' }))
  await seeTooltip('1,204 bytes')
})

test('text that is cut off has itself as tooltip, and other text has none', async () => {
  const { person } = await draw(
    <>
      <table>
        <tbody>
          <tr>
            <td style={{ textOverflow: 'ellipsis' }}>svc_backup_night</td>
            <td style={{ textOverflow: 'ellipsis' }}>ana</td>
          </tr>
        </tbody>
      </table>
      <Tooltips />
    </>,
  )
  const cut = await screen.findByText('svc_backup_night')
  Object.defineProperty(cut, 'scrollWidth', { value: cut.clientWidth + 40 })
  await person.hoverAt(cut)
  await seeTooltip('svc_backup_night')
  expect(cut.hasAttribute('aria-description')).toBe(false)
  await person.hoverAt(screen.getByText('ana'))
  await seeTooltip(undefined)
})
