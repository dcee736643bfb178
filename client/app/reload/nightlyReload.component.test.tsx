import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { reloadNightly } from './nightlyReload.ts'

let status = 200
let type = 'text/html'
const reload = vi.fn()

beforeEach(() => {
  status = 200
  type = 'text/html'
  reload.mockReset()
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'Date', 'performance'],
    now: new Date(2026, 4, 1, 0, 30),
  })
  vi.stubGlobal('fetch', async () => new Response(null, { status, headers: { 'Content-Type': type } }))
  const stop = reloadNightly(reload)
  onTestFinished(() => {
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})

const until = async (hour: number, minute: number) => {
  const left = new Date(2026, 4, 1, hour, minute).getTime() - Date.now()
  await vi.advanceTimersByTimeAsync(left)
}

test('a page that no one uses is reloaded at five, and not before', async () => {
  await until(4, 59)
  expect(reload).not.toHaveBeenCalled()
  await until(5, 1)
  expect(reload).toHaveBeenCalled()
})

test('while the server starts, or a proxy answers in its place, nothing is reloaded; then it is', async () => {
  status = 503
  await until(5, 20)
  status = 200
  type = 'application/json'
  await until(5, 40)
  expect(reload).not.toHaveBeenCalled()
  type = 'text/html; charset=utf-8'
  await until(5, 42)
  expect(reload).toHaveBeenCalled()
})

test('a page that someone uses, or on which something is typed or open, stays', async () => {
  await until(4, 50)
  document.body.dispatchEvent(new Event('pointermove', { bubbles: true }))
  await until(5, 15)
  expect(reload).not.toHaveBeenCalled()
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  await until(5, 40)
  dialog.remove()
  document.body.dispatchEvent(new Event('input', { bubbles: true }))
  await until(5, 59)
  expect(reload).not.toHaveBeenCalled()
})

test('a page that was used before the clock was set back is reloaded, too', async () => {
  await until(4, 50)
  document.body.dispatchEvent(new Event('pointermove', { bubbles: true }))
  vi.setSystemTime(new Date(2026, 3, 30, 4, 55))
  await vi.advanceTimersByTimeAsync(40 * 60_000)
  expect(reload).toHaveBeenCalled()
})
