import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import { live } from '../live/live.state.ts'
import { Banners } from './Banners.tsx'
import { ContentGuard } from './ContentGuard.tsx'
import { Header } from './Header.tsx'
import { Rail } from './Rail.tsx'
import { rail } from './rail.state.ts'
import { ShellDialogs } from './ShellDialogs.tsx'
import { useNotedFolder } from './useNotedFolder.ts'
import { useShellKeys } from './useShellKeys.ts'
import classes from './Shell.module.css'

/** What stands around every screen: navigation, header, banners. */
export function Shell({ children }: { children: ReactNode }) {
  const { phase } = useSnapshot(live)
  const { isPinned } = useSnapshot(rail)
  const [isOpen, open] = useState(false)
  useShellKeys()
  useNotedFolder()
  return (
    <div className={classes.shell} data-phase={phase} data-pinned={isPinned}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <Rail isOpen={isOpen} onClose={() => open(false)} />
      <div className={classes.body}>
        <Header onMenu={() => open(!isOpen)} isMenuOpen={isOpen} />
        <main id="content" className={classes.main} tabIndex={-1}>
          <Banners />
          <ContentGuard>{children}</ContentGuard>
        </main>
      </div>
      <ShellDialogs />
    </div>
  )
}
