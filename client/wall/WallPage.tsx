import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { reloadNightly } from '../app/nightlyReload.ts'
import { BoardBoundary } from './BoardBoundary.tsx'
import { Screen } from './Screen.tsx'
import { useWakeLock } from './useWakeLock.ts'
import { openWall, wall } from './wall.state.ts'
import { readWallAddress } from './wallAddress.ts'
import classes from './Wall.module.css'

/** The wall: boards in rotation, for a display that nobody sits at. */
export function WallPage() {
  const [address] = useState(() => readWallAddress(location.search))
  const { token, scheme } = address
  const { access } = useSnapshot(wall)
  useEffect(() => void openWall(token), [token])
  useEffect(() => reloadNightly(), [])
  useEffect(() => {
    document.title = 'Wall · DataIntell'
    if (scheme) document.documentElement.dataset['mantineColorScheme'] = scheme
  }, [scheme])
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
      <p>{words[access]}</p>
    </main>
  )
}

const titles = { opening: 'Wall', failed: 'This wall cannot be opened now', closed: 'This wall is closed' } as const
const words = {
  opening: 'Opening …',
  failed: 'It is tried again every few seconds.',
  closed:
    'Its token was ended, or the address has none. An administrator makes a new address in Settings, General, Wall displays.',
} as const
