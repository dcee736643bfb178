/** The build of the client that this page runs, as its head names it. */
const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content
let serverBuild = ownBuild

export function noteServerBuild(build: string): void {
  serverBuild = build
}

/** Whether the server serves another client by now: the next navigation loads it. */
export const isOutdated = (): boolean => Boolean(ownBuild && serverBuild) && ownBuild !== serverBuild

/** A chunk of an older build is gone after an update: the page loads itself anew, once. */
export function reloadOnceForMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const key = 'reloadedFor'
    if (sessionStorage.getItem(key) === ownBuild) return
    sessionStorage.setItem(key, ownBuild ?? '')
    event.preventDefault()
    location.reload()
  })
}
