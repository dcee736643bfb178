const written = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])'

/** True if a single-key shortcut belongs to a text field, a menu or an open dialog. */
export function isHandledElsewhere(event: KeyboardEvent): boolean {
  const isCombined = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (event.defaultPrevented || event.repeat || isCombined) return true
  const { target } = event
  if (target instanceof Element && target.closest(`${written}, [role="menu"]`)) return true
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null
}
