import { useEffect, useRef } from 'react'
import { NoDataBanner } from './NoDataBanner.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import classes from './Shell.module.css'

/** What concerns every screen, in sight below the header; the pages stay in sight below it. */
export function Banners() {
  const banners = useRef<HTMLDivElement>(null)
  useEffect(() => makeRoom(banners.current), [])
  return (
    <div ref={banners} className={classes.banners}>
      <OfflineBanner />
      <NoDataBanner />
    </div>
  )
}

/** Tells the styles of the page how high the banners are; their text wraps on narrow screens. */
function makeRoom(banners: HTMLElement | null): (() => void) | undefined {
  if (!banners) return undefined
  const tell = () => banners.parentElement?.style.setProperty('--banners', `${banners.offsetHeight}px`)
  const sizes = new ResizeObserver(tell)
  sizes.observe(banners)
  return () => sizes.disconnect()
}
