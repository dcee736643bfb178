import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { reloadNightly } from '#client/app/reload/nightlyReload.ts'
import { usePageTitle } from '#client/ui/text/pageTitle.ts'
import { BoardBoundary } from './rotation/BoardBoundary.tsx'
import { Screen } from './Screen.tsx'
import { openWall, wall } from './wall.state.ts'
import { readWallAddress } from './wallAddress.ts'
import classes from './Wall.module.css'

/** Wall display: rotating boards for an unattended screen. */
export function WallPage() {
  const [address] = useState(() => readWallAddress(location.search))
  const { token } = address
  const { access } = useSnapshot(wall)
  useEffect(() => openWall(token), [token])
  useEffect(() => reloadNightly(), [])
  usePageTitle('Wall')
  useWakeLock()

  if (access === 'open') {
    return (
      <BoardBoundary name="The wall">
        <Screen address={address} />
      </BoardBoundary>
    )
  }
  return (
    <main className={classes.notice}>
      <h1 className={classes.noticeTitle}>{titles[access]}</h1>
      <p>{texts[access]}</p>
    </main>
  )
}

const titles = { opening: 'Wall', failed: "The wall can't be opened right now", closed: 'This wall is closed' } as const
const texts = {
  opening: 'Opening …',
  failed: 'Retrying every few seconds.',
  closed: 'Its link was revoked or is incomplete. An administrator can create a new one under Settings › Walls.',
} as const

/** Keeps the display awake if the browser supports it. The lock is lost whenever the page is hidden. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const ask = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      // Browsers may refuse, for example to save battery.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) void given?.release()
      else lock = given
    }
    void ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [])
}
