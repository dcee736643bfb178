import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { proxy } from 'valtio'

type ToastKind = 'success' | 'info' | 'warning' | 'danger'
type Toast = { kind: ToastKind; message: ReactNode; title?: string }

/** How long a toast stays unless it says otherwise, in milliseconds. */
const usually = 8_000

/** The failures of this visit stay in a list until the page closes. */
export const failures = proxy<{ list: { at: number; message: string }[] }>({ list: [] })

/** Whether there was a toast: what draws them is not loaded before. */
export const toasts = proxy({ hadAny: false })

export function toast({ kind, message, title }: Toast, milliseconds = usually): void {
  toasts.hadAny = true
  notifications.show({
    // What several parts of a screen fail with is said once.
    ...(kind === 'danger' && typeof message === 'string' && { id: message }),
    message,
    title,
    autoClose: milliseconds,
    role: kind === 'danger' ? 'alert' : 'status',
    className: `toast-${kind}`,
    closeButtonProps: { 'aria-label': 'Close this message' },
  })
  if (kind === 'danger' && typeof message === 'string') {
    failures.list.unshift({ at: Date.now(), message })
    failures.list.splice(20)
  }
}

/** A failure in the server's words. */
export const toastFailure = (error: unknown): void =>
  toast({ kind: 'danger', message: error instanceof Error ? error.message : String(error) })
