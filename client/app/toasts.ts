import { notifications, notificationsStore } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { proxy } from 'valtio'

type ToastKind = 'success' | 'info' | 'warning' | 'danger'
type Toast = { kind: ToastKind; message: ReactNode; title?: string }

/** How long a toast stays unless it says otherwise, in milliseconds. */
const usualMs = 8_000

/** So many are shown at a time. */
export const mostToasts = 3

/** The failures of this visit stay in a list until the page closes. */
export const failures = proxy<{ list: { at: number; message: string }[] }>({ list: [] })

/** Whether there was a toast: what draws them is not loaded before. */
export const toasts = proxy({ hadAny: false })

export function toast({ kind, message, title }: Toast, stayMs = usualMs): void {
  toasts.hadAny = true
  // What several parts of a screen fail with is said once.
  const id = kind === 'danger' && typeof message === 'string' ? message : undefined
  makeRoomFor(id)
  notifications.show({
    ...(id !== undefined && { id }),
    message,
    title,
    autoClose: stayMs,
    role: kind === 'danger' ? 'alert' : 'status',
    className: `toast-${kind}`,
    closeButtonProps: { 'aria-label': 'Close this message' },
  })
  if (kind === 'danger' && typeof message === 'string') {
    failures.list.unshift({ at: Date.now(), message })
    failures.list.splice(20)
  }
}

/**
 * The oldest gives way, since the newest answers what was done last. While a hand is at them none moves below it, and the
 * next waits.
 */
function makeRoomFor(id: string | undefined): void {
  const { notifications: shown } = notificationsStore.getState()
  const [oldest] = shown
  if (!oldest?.id || shown.length < mostToasts || shown.some((each) => each.id === id) || isHandAtThem()) return
  notifications.hide(oldest.id)
}

const isHandAtThem = () => document.querySelector('[data-place]:is(:hover, :focus-within)') !== null

/** A failure in the server's words. */
export const toastFailure = (error: unknown): void =>
  toast({ kind: 'danger', message: error instanceof Error ? error.message : String(error) })
