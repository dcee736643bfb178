import { useSyncExternalStore } from 'react'

const ticking = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  now = Date.now()
  for (const tell of ticking) tell()
}

function startOrStop() {
  const wanted = ticking.size > 0 && !document.hidden
  if (wanted && !timer) {
    timer = setInterval(tick, 1_000)
    tick()
  }
  if (!wanted && timer) {
    clearInterval(timer)
    timer = undefined
  }
}

function follow(tell: () => void) {
  if (ticking.size === 0) document.addEventListener('visibilitychange', startOrStop)
  ticking.add(tell)
  startOrStop()
  return () => {
    ticking.delete(tell)
    if (ticking.size === 0) document.removeEventListener('visibilitychange', startOrStop)
    startOrStop()
  }
}

/** Current time, updated every second. One shared timer, stopped while the page is hidden. */
export const useNow = (): number => useSyncExternalStore(follow, () => now)
