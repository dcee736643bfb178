import { notifications, notificationsStore } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { proxy } from 'valtio'

type ToastKind = 'success' | 'info' | 'warning' | 'danger'
type Toast = { kind: ToastKind; message: ReactNode; title?: string }

/** Default duration of a toast, in milliseconds. */
const defaultMs = 8_000

export const maxToasts = 3

/** Errors since the page was opened. */
export const failures = proxy<{ list: { at: number; message: string }[] }>({ list: [] })

/** The toast component is loaded with the first toast. */
export const toasts = proxy({ hadAny: false })

export function toast({ kind, message, title }: Toast, stayMs = defaultMs): void {
  toasts.hadAny = true
  // The same error from several parts of a screen is shown once.
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
 * Removes the oldest toast, since the newest is the response to the last action. While the user hovers over toasts,
 * none is removed and the new one waits.
 */
function makeRoomFor(id: string | undefined): void {
  const { notifications: shown } = notificationsStore.getState()
  const [oldest] = shown
  if (!oldest?.id || shown.length < maxToasts || shown.some((each) => each.id === id) || isHovered()) return
  notifications.hide(oldest.id)
}

const isHovered = () => document.querySelector('[data-place]:is(:hover, :focus-within)') !== null

/** Shows the server's error message. */
export const toastFailure = (error: unknown): void =>
  toast({ kind: 'danger', message: error instanceof Error ? error.message : String(error) })
