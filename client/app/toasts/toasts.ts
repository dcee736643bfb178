import { notifications, notificationsStore } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { proxy } from 'valtio'

/** Kinds of toasts by their severity. */
const severity = { info: 0, success: 0, warning: 1, danger: 2 }
type ToastKind = keyof typeof severity
type Toast = { kind: ToastKind; message: ReactNode; title?: string }

/** Default duration of a toast, in milliseconds. */
const defaultMs = 8_000

/** An action has one toast: the next one replaces it. */
export const maxToasts = 1

/** Errors since the page was opened. */
export const failures = proxy<{ list: { at: number; message: string }[] }>({ list: [] })

/** The toast component is loaded with the first toast. */
export const toasts = proxy({ hadAny: false })

/** Time after which a toast has another cause, in milliseconds. */
const sameActionMs = 1_000

/** Time of the user's last click or key, like `performance.now()`: a toast after it is the response to another action. */
let actedAt = -Infinity
for (const input of ['pointerdown', 'keydown'])
  globalThis.addEventListener?.(input, () => (actedAt = performance.now()), { capture: true })

let last: { kind: ToastKind; at: number } = { kind: 'success', at: -Infinity }

/**
 * Shows a message in place of the one before it. Of several messages about one action, the most severe stays. Failures
 * are also kept in the list of the header.
 */
export function toast({ kind, message, title }: Toast, stayMs = defaultMs): void {
  toasts.hadAny = true
  if (kind === 'danger' && typeof message === 'string') {
    failures.list.unshift({ at: Date.now(), message })
    failures.list.splice(20)
  }
  const at = performance.now()
  const isMinor = severity[kind] < severity[last.kind]
  const isSameAction = actedAt < last.at && at - last.at < sameActionMs
  if (isMinor && isSameAction && notificationsStore.getState().notifications.length > 0) return
  last = { kind, at }
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
}

/**
 * Removes the shown toast, since the newest is the response to the last action. While the user hovers over it or has
 * the focus in it, it stays and the new one waits.
 */
function makeRoomFor(id: string | undefined): void {
  const { notifications: shown } = notificationsStore.getState()
  const [oldest] = shown
  if (!oldest?.id || shown.some((each) => each.id === id) || isHovered()) return
  notifications.hide(oldest.id)
}

const isHovered = () => document.querySelector('.mantine-Notifications-root:is(:hover, :focus-within)') !== null

/** Shows the server's error message. */
export const toastFailure = (error: unknown): void =>
  toast({ kind: 'danger', message: error instanceof Error ? error.message : String(error) })
