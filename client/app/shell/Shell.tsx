import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import { live } from '../live/live.state.ts'
import { ContentGuard } from './ContentGuard.tsx'
import { Header } from './Header.tsx'
import { NoDataBanner } from './NoDataBanner.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Rail } from './Rail.tsx'
import { rail } from './rail.state.ts'
import classes from './Shell.module.css'

/** What stands around every screen: navigation, header, banners. */
export function Shell({ children }: { children: ReactNode }) {
  const { phase } = useSnapshot(live)
  const { isPinned } = useSnapshot(rail)
  const [isOpen, open] = useState(false)
  return (
    <div className={classes.shell} data-phase={phase} data-pinned={isPinned}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <Rail isOpen={isOpen} onClose={() => open(false)} />
      <div className={classes.body}>
        <Header onMenu={() => open(!isOpen)} isMenuOpen={isOpen} />
        <main id="content" className={classes.main} tabIndex={-1}>
          <OfflineBanner />
          <NoDataBanner />
          <ContentGuard>{children}</ContentGuard>
        </main>
      </div>
    </div>
  )
}
