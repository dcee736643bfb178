let serverBuild: string | undefined
let isPartMissing = false

/** The build of the client that this page runs, as its head names it. */
const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content

export function noteServerBuild(build: string): void {
  serverBuild = build
}

/** A part of the page could not be loaded: the page is not complete until it is loaded anew. */
export function noteMissingPart(): void {
  isPartMissing = true
}

/** Whether the server serves another client by now, or the page lacks a part: the next navigation loads it anew. */
export const isOutdated = (): boolean =>
  isPartMissing || (Boolean(ownBuild() && serverBuild) && ownBuild() !== serverBuild)

/** Loads the page anew where it is outdated; not while the server is away, which has none to give. */
export async function renewOutdated(): Promise<void> {
  if (isOutdated() && (await isReachable())) location.reload()
}

/** Whether the server has a page to give right now; one that is starting has none. */
export const isReachable = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** A chunk of an older build is gone after an update: the page loads itself anew, once. A server that is away has no page to load. */
export function reloadOnceForMissingChunk(): void {
  window.addEventListener('vite:preloadError', async () => {
    const key = 'reloadedFor'
    if (sessionStorage.getItem(key) === ownBuild() || !(await isReachable())) return
    sessionStorage.setItem(key, ownBuild() ?? '')
    location.reload()
  })
}
