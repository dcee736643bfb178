import type { Page } from 'puppeteer'
import { expect } from 'vitest'

/**
 * Clicks the element of a selector once it exists, is enabled, has stopped moving and is not covered. Each attempt
 * looks it up again. A click that would hit another element because the page moved is cancelled and repeated. Throws
 * the obstacle when the timeout is over, by default that of the tests' polls.
 */
export async function press(page: Page, selector: string, options: { timeout?: number } = {}): Promise<void> {
  const attempt = async ({ signal }: { signal: AbortSignal }) => {
    const obstacle = await obstacleOf(page, selector, signal)
    if (obstacle !== undefined) throw new Error(`${selector} cannot be pressed: ${obstacle}`)
  }
  await expect.poll(attempt, options).toBeUndefined()
}

/** Clicks the element; returns the obstacle if any. */
async function obstacleOf(page: Page, selector: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await page.$(selector)
  if (!found) return 'it is not there'
  const watch = await found.evaluateHandle(watchOver)
  const place = await watch.evaluate((watch) => watch.place())
  if (typeof place === 'string') return place
  if (signal.aborted) return 'time is over'
  // Requested before the click, which may leave the page.
  const outcome = watch.evaluate((watch) => watch.outcome)
  const pressing = page.mouse.click(place.x, place.y).then(() => watch.evaluate((watch) => watch.end()))
  const [obstacle] = await Promise.allSettled([outcome, pressing])
  if (obstacle.status === 'rejected') throw obstacle.reason
  return obstacle.value
}

/** Observes one click of an element. Runs on the page, so it can't use anything outside. */
function watchOver(element: Element) {
  const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'] as const
  const target = element.closest('button, a, label') ?? element
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
  const isOfIt = (taker: EventTarget | null) =>
    taker instanceof Node && [target, ...labels].some((part) => part.contains(taker))
  const describe = (taker: EventTarget | null) => {
    if (!(taker instanceof HTMLElement || taker instanceof SVGElement)) return 'nothing'
    const name = [taker.localName, ...taker.classList].join('.')
    return `${name} “${(taker.textContent ?? '').trim().slice(0, 80)}”`
  }
  const frame = () => new Promise(requestAnimationFrame)
  const box = () => [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0)
  /** Middle of the visible part. */
  const middle = () => {
    const { left, top, right, bottom } = box() ?? new DOMRect()
    const [from, to] = [Math.max(left, 0), Math.min(right, innerWidth)]
    const [above, below] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    return from < to && above < below ? { x: (from + to) / 2, y: (above + below) / 2 } : undefined
  }
  const show = () => element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })

  let taken: boolean | undefined
  let resolveOutcome: (obstacle: string | undefined) => void
  const outcome = new Promise<string | undefined>((resolve) => {
    resolveOutcome = resolve
  })
  const judge = (event: Event) => {
    if (taken === undefined) {
      taken = isOfIt(event.target)
      if (!taken) resolveOutcome(`${describe(event.target)} took the press`)
    }
    if (!taken) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else if (event.type === 'click' && isOfIt(event.target)) resolveOutcome(undefined)
  }
  return {
    outcome,
    /** Returns the point to click, and starts observing; or the reason why the element can't be clicked now. */
    async place() {
      if (!middle()) show()
      await frame()
      const before = box()
      await frame()
      const [after, place] = [box(), middle()]
      if (!element.isConnected) return 'it was drawn anew'
      if (!before || !after || !place || getComputedStyle(element).visibility !== 'visible') return 'it is not in sight'
      if (target.matches(':disabled') || element.matches(':disabled')) return 'it is disabled'
      if (JSON.stringify(before) !== JSON.stringify(after)) return 'it moves'
      const taker = document.elementFromPoint(place.x, place.y)
      if (!isOfIt(taker)) {
        show()
        return `${describe(taker)} lies over it`
      }
      for (const type of events) addEventListener(type, judge, { capture: true })
      return place
    },
    end() {
      for (const type of events) removeEventListener(type, judge, { capture: true })
      resolveOutcome('it moved or was drawn anew between pressing and letting go')
    },
  }
}
