/** Visible part of a scrolling element, in pixels, and where the user scrolls to; null while they don't. */
export type View = { top: number; room: number; direction: 'forward' | 'backward' | null }

/** A scroll has ended after this time without another step, in milliseconds. */
const scrollEndMs = 150

/** Keeps a view up to date and calls back after each change, the first time at once. Returns a function that ends it. */
export function watchView(element: HTMLElement, view: View, change: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    view.direction = null
    change()
  }
  const scroll = () => {
    const top = element.scrollTop
    if (top === view.top) return
    view.direction = top > view.top ? 'forward' : 'backward'
    view.top = top
    clearTimeout(timer)
    timer = setTimeout(rest, scrollEndMs)
    change()
  }
  const measure = () => {
    if (element.offsetHeight === view.room) return
    view.room = element.offsetHeight
    change()
  }
  view.top = element.scrollTop
  view.room = element.offsetHeight
  const sizes = new ResizeObserver(measure)
  sizes.observe(element)
  element.addEventListener('scroll', scroll, { passive: true })
  change()
  return () => {
    clearTimeout(timer)
    sizes.disconnect()
    element.removeEventListener('scroll', scroll)
  }
}
