const written = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"])'

/** Whether a single letter belongs to something else: to a field that is written in, a menu, or a dialog over the page. */
export function isHandledElsewhere(event: KeyboardEvent): boolean {
  const isCombined = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (event.defaultPrevented || event.repeat || isCombined) return true
  const { target } = event
  if (target instanceof Element && target.closest(`${written}, [role="menu"]`)) return true
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null
}
