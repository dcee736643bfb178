import { useKeyDown } from '#client/ui/useKeyDown.ts'
import type { Builder } from './useBuilder.ts'

const written = 'textarea, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])'

/**
 * Alt and an arrow key move the focused item or group. Ctrl+Z and Ctrl+Shift+Z undo and redo, except in text fields,
 * which have their own undo, and below an open dialog.
 */
export function useBuilderKeys(builder: Builder): void {
  // Runs before fields handle arrow keys.
  useKeyDown((event) => {
    const { target } = event
    const { current } = builder.root
    if (!current || !(target instanceof Element)) return
    const action = movement(event, target, current, builder) ?? travel(event, target, current, builder)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }, true)
}

function movement(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  target: Element,
  root: Element,
  builder: Builder,
) {
  if (!altKey || ctrlKey || metaKey || shiftKey || !root.contains(target)) return undefined
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const item = target.closest<HTMLElement>('[data-item]')
  const id = Number(item?.dataset['item'])
  if (!item || id === builder.group.id) return undefined
  return () => builder.move(id, key === 'ArrowUp' ? -1 : 1)
}

function travel(event: KeyboardEvent, target: Element, root: Element, { undo, redo }: Builder) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || target.closest(written)) return undefined
  const dialog = document.querySelector('[role="dialog"][aria-modal="true"]')
  if (dialog && !dialog.contains(root)) return undefined
  const key = event.key.toLowerCase()
  if (key === 'z') return event.shiftKey ? redo : undo
  return key === 'y' ? redo : undefined
}
