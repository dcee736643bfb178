import type { KeyboardEvent } from 'react'

/**
 * Keys of controls that are a single tab stop together: left, right, Home and End move the focus among those of a group that match a
 * selector. In a list, up, down, `j` and `k` do too.
 */
export function moveAmong(event: KeyboardEvent, group: HTMLElement | null, selector: string, isList = false): void {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
  const controls = [...(group?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(isShown)
  const at = controls.indexOf(event.target as HTMLElement)
  if (at === -1) return
  const places: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: controls.length - 1 }
  const inList: Record<string, number> = { ArrowUp: at - 1, k: at - 1, ArrowDown: at + 1, j: at + 1 }
  const next = places[event.key] ?? (isList ? inList[event.key] : undefined)
  if (next === undefined) return
  event.preventDefault()
  controls[Math.max(0, Math.min(controls.length - 1, next))]?.focus()
}

/** Columns without room are not displayed, with their titles. */
const isShown = (control: HTMLElement): boolean => getComputedStyle(control.closest('th') ?? control).display !== 'none'
