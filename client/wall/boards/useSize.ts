import { useLayoutEffect, useState } from 'react'

/**
 * Size of an element in pixels, read again when the window changes. Boards fill the window, so nothing else changes
 * it, and `ResizeObserver` is missing in some of the supported browsers.
 */
export function useSize() {
  const [element, ref] = useState<Element | null>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => {
      const { width, height } = element.getBoundingClientRect()
      setSize({ width, height })
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [element])
  return { ref, ...size }
}
