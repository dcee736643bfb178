import { type RefObject, useEffect, useState } from 'react'
import { onceUsed } from './onceUsed.ts'

const half = 0.5

/** True once half of an element has been in view, or the user has moved the pointer or pressed a key. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, see] = useState(false)
  useEffect(() => {
    if (isSeen) return undefined
    const endUse = onceUsed(() => see(true))
    const views = new IntersectionObserver(
      (entries) => entries.some((view) => view.intersectionRatio >= half) && see(true),
      {
        threshold: half,
      },
    )
    if (element.current) views.observe(element.current)
    return () => {
      endUse()
      views.disconnect()
    }
  }, [element, isSeen])
  return isSeen
}
