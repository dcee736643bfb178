import { notifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { failures, maxToasts, toast } from './toasts.ts'

let isHovered: boolean
let now = 0
beforeEach(() => {
  isHovered = false
  now += 60_000
  vi.stubGlobal('document', { querySelector: () => (isHovered ? {} : null) })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  notifications.clean()
  notificationsStore.updateState((state) => ({ ...state, limit: maxToasts }))
})
const shown = () => notificationsStore.getState().notifications.map(({ message }) => message)
const waiting = () => notificationsStore.getState().queue.map(({ message }) => message)
const say = (...messages: string[]) => messages.forEach((message) => toast({ kind: 'info', message }))

test('one toast is shown, the newest', () => {
  say('one', 'two', 'three')
  expect(shown()).toEqual(['three'])
  expect(waiting()).toEqual([])
})

test('while the pointer or the focus is on a toast, it stays and the next one waits', () => {
  say('one')
  isHovered = true
  say('two')
  expect(shown()).toEqual(['one'])
  expect(waiting()).toEqual(['two'])
})

test('of several messages about one action the most severe stays; the next action replaces it', () => {
  toast({ kind: 'danger', message: 'The share could not be mounted' })
  toast({ kind: 'success', message: 'Media was added' })
  expect(shown()).toEqual(['The share could not be mounted'])
  now += 1_500
  toast({ kind: 'success', message: 'Films was added' })
  expect(shown()).toEqual(['Films was added'])
})

test('the result of an action replaces its announcement', () => {
  say('The file is being prepared')
  toast({ kind: 'success', message: 'CSV file downloaded successfully' })
  expect(shown()).toEqual(['CSV file downloaded successfully'])
})

test('a failure that is shown already is not shown again, and failures stay in their list', () => {
  for (let times = 0; times < 2; times++) toast({ kind: 'danger', message: 'It failed' })
  expect(shown()).toEqual(['It failed'])
  expect(failures.list.slice(0, 2).map(({ message }) => message)).toEqual(['It failed', 'It failed'])
})
