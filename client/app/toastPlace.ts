/** Possible places for toasts, best first. */
export const places = ['bottom-right', 'bottom-center', 'bottom-left', 'top-right', 'top-center', 'top-left'] as const
export type Place = (typeof places)[number]

/** Interactive elements. */
const controls =
  'a[href], button, input, select, textarea, label, summary, [role="menuitem"], [role="option"], [role="tab"], [role="switch"]'

/** Distances from the edges of the window, in pixels. Same values as in the style sheet. */
const margin = 16
const top = 56

/** Small enough that no control of 24 pixels fits between two points, in pixels. */
const step = 12

/** Place where toasts cover the fewest controls. Keeps the current place if it covers none. */
export function placeOf(toasts: HTMLElement): Place {
  const { width, height } = toasts.getBoundingClientRect()
  if (height === 0) return places[0]
  const now = places.find((place) => place === toasts.dataset['place']) ?? places[0]
  let best = { place: now, covered: Infinity }
  for (const place of new Set([now, ...places])) {
    const covered = coveredAt(place, { width, height }, toasts)
    if (covered < best.covered) best = { place, covered }
    if (covered === 0) break
  }
  return best.place
}

/** Number of points with a control below the toasts. */
function coveredAt(place: Place, { width, height }: { width: number; height: number }, toasts: HTMLElement): number {
  const left = place.endsWith('left')
    ? margin
    : place.endsWith('right')
      ? innerWidth - margin - width
      : (innerWidth - width) / 2
  const above = place.startsWith('top') ? top : innerHeight - margin - height
  let covered = 0
  for (let y = above; y <= above + height; y += step)
    for (let x = left; x <= left + width; x += step) if (topmostAt(x, y, toasts)?.closest(controls)) covered++
  return covered
}

/** Topmost element at a point, except for the toasts. */
function topmostAt(x: number, y: number, toasts: HTMLElement): Element | undefined {
  const seen = document.elementFromPoint(x, y) ?? undefined
  if (!seen || !toasts.contains(seen)) return seen
  return document.elementsFromPoint(x, y).find((element) => !toasts.contains(element))
}
