import { useEffect } from 'react'

/** Keeps the display from going dark, where the browser can; it forgets that whenever the page was hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const ask = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      // A browser may refuse, such as one that saves its battery.
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
