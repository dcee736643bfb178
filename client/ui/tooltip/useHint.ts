import { useEffect, useState } from 'react'

export const tooltipId = 'tooltip'

/** Element with a tooltip, and its text. */
type Hint = { element: Element; text: string }

/** Time that the pointer rests on an element, and that a touched one shows its tooltip, in milliseconds. */
const hoverMs = 500
const touchMs = 4_000

/** Hint to show: under the pointer, at the focus moved by a key, or at the last touch; none after typing, Escape, a press or a scroll. */
export function useHint(): Hint | undefined {
  const [hint, show] = useState<Hint>()
  useEffect(() => watchHints(show), [])
  return hint
}

/** Watches the page and reports the hint to show. Returns a function that stops it. */
function watchHints(show: (hint: Hint | undefined) => void): () => void {
  let giveBack = () => {}
  let current: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    clearTimeout(timer)
    giveBack()
    giveBack = () => {}
    current = undefined
    show(undefined)
  }
  const enter = (element: Element | undefined, delayMs: number, leavesAfterMs?: number) => {
    if (element === current) return
    if (current) leave()
    const title = element?.getAttribute('title')
    const text = title || (element && cutOffText(element))
    if (!element || !text) return
    current = element
    if (title) giveBack = takeTitle(element, title)
    timer = setTimeout(() => {
      show({ element, text })
      if (leavesAfterMs !== undefined) timer = setTimeout(leave, leavesAfterMs)
    }, delayMs)
  }
  let isByKey = false
  const press = (event: Event) => {
    isByKey = false
    if (isTouch(event)) enter(hintedAt(event.target, current), 0, touchMs)
    else leave()
  }
  const type = (event: Event) => {
    isByKey = true
    if ((event as KeyboardEvent).key === 'Escape' || (event.target as Element).matches?.('input, textarea')) leave()
  }
  const isTouch = (event: Event) => (event as PointerEvent).pointerType === 'touch'
  const handlers: Record<string, (event: Event) => void> = {
    pointerover: (event) => !isTouch(event) && enter(hintedAt(event.target, current), hoverMs),
    pointerdown: press,
    focusin: ({ target }) => isByKey && isKeyboardFocus(target) && enter(hintedIn(target) ?? undefined, 0),
    focusout: () => current && leave(),
    keydown: type,
    scroll: () => current && leave(),
  }
  for (const [name, handler] of Object.entries(handlers)) document.addEventListener(name, handler, true)
  return () => {
    for (const [name, handler] of Object.entries(handlers)) document.removeEventListener(name, handler, true)
    leave()
  }
}

/** Nearest element with a title or with text that is cut off, or the current one, whose title was taken. */
const hintedAt = (target: EventTarget | null, current: Element | undefined): Element | undefined => {
  if (!(target instanceof Element)) return undefined
  if (current?.contains(target)) return current
  return (
    target.closest('[title]') ?? [target, target.closest('td, th')].find((one) => one && cutOffText(one)) ?? undefined
  )
}

/** Whole text of an element that shows only its start; undefined for others. */
function cutOffText(element: Element): string | undefined {
  if (element.scrollWidth <= element.clientWidth || getComputedStyle(element).textOverflow !== 'ellipsis')
    return undefined
  return element.textContent?.trim() || undefined
}

/** Title of the focused element, of one around it, or of a text in it, such as a truncated name. */
const hintedIn = (target: Element): Element | null =>
  target.closest('[title]') ?? (target.matches('a, button') ? target.querySelector('[title]') : null)

const isKeyboardFocus = (target: EventTarget | null): target is Element =>
  target instanceof Element && target.matches(':focus-visible')

/**
 * Takes the title of an element, so that the browser shows no second tooltip. Its description stays the same for screen
 * readers. Returns a function that restores it.
 */
function takeTitle(element: Element, text: string): () => void {
  const isNamedByTitle = !element.textContent?.trim() && !element.hasAttribute('aria-label')
  const attribute = isNamedByTitle ? 'aria-label' : 'aria-description'
  const isAdded = !element.hasAttribute(attribute) && element.getAttribute('aria-label') !== text
  element.removeAttribute('title')
  if (isAdded) element.setAttribute(attribute, text)
  return () => {
    if (isAdded) element.removeAttribute(attribute)
    if (!element.hasAttribute('title')) element.setAttribute('title', text)
  }
}
