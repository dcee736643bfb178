import { useEffect, useEffectEvent } from 'react'
import { isForOthers } from '../app/shell/isForOthers.ts'
import { filesShown, openMap } from './files.state.ts'

/** The key m opens and closes the map. */
export function useMapKey(): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'm' || isForOthers(event)) return
    event.preventDefault()
    openMap(!filesShown.isMapOpen)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
