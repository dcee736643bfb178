import { type ReactNode, useState, lazy, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import { useQuery } from '#client/app/address.ts'
import { PartBoundary } from '#client/app/PartBoundary.tsx'
import { type CurrentUser, type SeenPlaces, seenText } from '#events/users/session.ts'
import { live } from '#client/app/live/live.state.ts'
import { seesNothing, session } from '#client/app/session.state.ts'
import { PageNote } from '#client/ui/Page.tsx'
import { useEverOpen } from '#client/ui/useEverOpen.ts'
import { Banners } from './banners/Banners.tsx'
import { ContentGuard } from './ContentGuard.tsx'
import { Header } from './header/Header.tsx'
import { callOfScreen } from './screenCalls.ts'
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
            <PageNote value={<OfYour address={address} />}>
              <ContentGuard>{children}</ContentGuard>
            </PageNote>
          </ScreenBoundary>
        </main>
      </div>
      <ShellDialogs />
    </div>
  )
}

/** Note that the figures of a screen are limited, such as `Of your 3 projects`. */
function OfYour({ address }: { address: string }) {
  const { user } = useSnapshot(session)
  const limitedBy = callOfScreen(address)?.limitedBy
  const isLimited = limitedBy === 'entries' || limitedBy === 'projects' || limitedBy === 'storages'
  if (!user?.limits || !isLimited || seesNothing(user as CurrentUser)) return null
  const { projects, storages } = user.limits as SeenPlaces
  const names = [...projects, ...storages].map(({ name }) => name).join(', ')
  return (
    <span className="muted" title={names}>
      Of {seenText(user.limits as SeenPlaces)}
    </span>
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
  const userId = useSnapshot(session).user?.id
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') ?? '/'
  const isFolder = screen === '/filemanagement' && Number.isInteger(volumeId) && volumeId > 0
  useEffect(() => {
    if (isFolder && userId !== undefined) noteFolder({ volumeId, path, userId })
  }, [isFolder, volumeId, path, userId])
}
