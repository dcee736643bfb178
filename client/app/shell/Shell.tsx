import { type ReactNode, useState, lazy, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import { useQuery } from '#client/app/address.ts'
import { PartBoundary } from '#client/app/PartBoundary.tsx'
import { live } from '#client/app/live/live.state.ts'
import { useEverOpen } from '#client/ui/useEverOpen.ts'
import { Banners } from './banners/Banners.tsx'
import { ContentGuard } from './ContentGuard.tsx'
import { Header } from './header/Header.tsx'
import { ScreenBoundary } from './ScreenBoundary.tsx'
import { Rail } from './rail/Rail.tsx'
import { rail } from './rail/rail.state.ts'
import { useShellKeys } from './keys/useShellKeys.ts'
import { shellDialogs } from './shellDialogs.state.ts'
import { noteFolder } from './palette/recentFolders.state.ts'
import classes from './Shell.module.css'

/** Navigation, header and banners around each screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { phase } = useSnapshot(live)
  const { isPinned } = useSnapshot(rail)
  const [address] = useLocation()
  const [isOpen, open] = useState(false)
  useShellKeys()
  useRecentFolder()
  return (
    <div className={classes.shell} data-phase={phase} data-pinned={isPinned}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <button type="button" className={classes.skip} onClick={focusList}>
        Skip to the list
      </button>
      <Rail isOpen={isOpen} onClose={() => open(false)} />
      <div className={classes.body}>
        <Header onMenu={() => open(!isOpen)} isMenuOpen={isOpen} />
        <main id="content" className={classes.main} tabIndex={-1}>
          <Banners />
          <ScreenBoundary address={address}>
            <ContentGuard>{children}</ContentGuard>
          </ScreenBoundary>
        </main>
      </div>
      <ShellDialogs />
    </div>
  )
}

/** Focuses the active row of the screen's list or tree; the content if it has none. */
function focusList(): void {
  const rows = document.querySelectorAll<HTMLElement>(
    'main :is(:is([role="grid"], [role="treegrid"]) tr, [data-card])[tabindex="0"]',
  )
  const row = [...rows].find((row) => row.checkVisibility())
  ;(row ?? document.querySelector<HTMLElement>('#content'))?.focus()
}

const Palette = lazy(() => import('./palette/Palette.tsx').then((m) => ({ default: m.Palette })))
const KeysDialog = lazy(() => import('./keys/KeysDialog.tsx').then((m) => ({ default: m.KeysDialog })))

/** Command palette and list of shortcuts. Both are loaded on first use. */
function ShellDialogs() {
  const { open } = useSnapshot(shellDialogs)
  const hadPalette = useEverOpen(open === 'palette')
  const hadKeys = useEverOpen(open === 'keys')
  return (
    <PartBoundary>
      <Suspense fallback={null}>
        {hadPalette && <Palette />}
        {hadKeys && <KeysDialog />}
      </Suspense>
    </PartBoundary>
  )
}

/** Adds the folder shown in File Management to the recent folders. */
function useRecentFolder(): void {
  const [screen] = useLocation()
  const [query] = useQuery()
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') ?? '/'
  const isFolder = screen === '/filemanagement' && Number.isInteger(volumeId) && volumeId > 0
  useEffect(() => {
    if (isFolder) noteFolder({ volumeId, path })
  }, [isFolder, volumeId, path])
}
