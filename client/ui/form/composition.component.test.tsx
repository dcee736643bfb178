import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTypedCallback, watchComposition } from './composition.ts'

const delayMs = 1_000
const searched: string[] = []
const pressed: string[] = []

function SearchField() {
  const [text, setText] = useState('')
  const searchSoon = useTypedCallback((words: string) => searched.push(words), delayMs)
  return (
    <input
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        searchSoon(currentTarget.value)
      }}
      onKeyDown={({ key }) => pressed.push(key)}
    />
  )
}

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
const field = () => document.querySelector('input') as HTMLInputElement
const type = (text: string) => {
  setValue?.call(field(), text)
  field().dispatchEvent(new Event('input', { bubbles: true }))
}
const compose = (kind: 'start' | 'end') => field().dispatchEvent(new Event(`composition${kind}`, { bubbles: true }))
const press = (key: string, keyCode: number, isComposing = false) =>
  field().dispatchEvent(
    Object.defineProperties(new KeyboardEvent('keydown', { key, bubbles: true }), {
      keyCode: { value: keyCode },
      isComposing: { value: isComposing },
    }),
  )

let close = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  searched.length = 0
  pressed.length = 0
  const stop = watchComposition()
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(<SearchField />)
  vi.runAllTimers()
  close = () => {
    root.unmount()
    place.remove()
    stop()
    vi.useRealTimers()
  }
})
afterEach(() => close())

test('typed text is searched after a pause', async () => {
  await vi.waitFor(() => expect(field()).not.toBeNull())
  type('film')
  vi.advanceTimersByTime(delayMs)
  expect(searched).toEqual(['film'])
})

test('text is not searched while it is composed, however long that takes, and once afterwards', async () => {
  await vi.waitFor(() => expect(field()).not.toBeNull())
  compose('start')
  type('に')
  vi.advanceTimersByTime(5 * delayMs)
  type('にほん')
  vi.advanceTimersByTime(5 * delayMs)
  expect(searched).toEqual([])
  type('日本')
  compose('end')
  vi.advanceTimersByTime(5 * delayMs)
  expect(searched).toEqual(['日本'])
})

test('keys that belong to the input method do nothing on the page: Enter, Escape and arrows', async () => {
  await vi.waitFor(() => expect(field()).not.toBeNull())
  compose('start')
  for (const key of ['Enter', 'Escape', 'ArrowDown']) press(key, 229, true)
  compose('end')
  // Safari sends Enter after the end.
  press('Enter', 229)
  expect(pressed).toEqual([])
  press('Enter', 13)
  expect(pressed).toEqual(['Enter'])
})

test('a field that was removed while composing stops no other', async () => {
  await vi.waitFor(() => expect(field()).not.toBeNull())
  compose('start')
  press('f', 70)
  type('f')
  vi.advanceTimersByTime(delayMs)
  expect(searched).toEqual(['f'])
})
