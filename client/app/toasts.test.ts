import { notifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { maxToasts, toast } from './toasts.ts'

let isHovered: boolean
beforeEach(() => {
  isHovered = false
  vi.stubGlobal('document', { querySelector: () => (isHovered ? {} : null) })
  notifications.clean()
  notificationsStore.updateState((state) => ({ ...state, limit: maxToasts }))
})
const shown = () => notificationsStore.getState().notifications.map(({ message }) => message)
const waiting = () => notificationsStore.getState().queue.map(({ message }) => message)
const say = (...messages: string[]) => messages.forEach((message) => toast({ kind: 'info', message }))

test('the newest of more toasts than fit is shown at once, in place of the oldest', () => {
  say('one', 'two', 'three', 'four', 'five')
  expect(shown()).toEqual(['three', 'four', 'five'])
  expect(waiting()).toEqual([])
})

test('while a hand is at them, none moves and the next waits', () => {
  say('one', 'two', 'three')
  isHovered = true
  say('four')
  expect(shown()).toEqual(['one', 'two', 'three'])
  expect(waiting()).toEqual(['four'])
})

test('a failure that is shown already takes no place', () => {
  say('one', 'two')
  for (let times = 0; times < 2; times++) toast({ kind: 'danger', message: 'It failed' })
  expect(shown()).toEqual(['one', 'two', 'It failed'])
})
