import { hasUnsavedWork } from './reload/pageUse.ts'

let serverBuild: string | undefined
let isPartMissing = false

/** Client build of this page, from its `<meta>` element. */
const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content

export function noteServerBuild(build: string): void {
  serverBuild = build
}

/** Called when a chunk could not be loaded, so that the next navigation reloads the page. */
export function noteMissingPart(): void {
  isPartMissing = true
}

/** True if the server has a newer client or a chunk is missing. The next navigation then reloads the page. */
const isOutdated = (): boolean => isPartMissing || (Boolean(ownBuild() && serverBuild) && ownBuild() !== serverBuild)

/** Reloads an outdated page, unless the server is down. */
export async function renewOutdated(): Promise<void> {
  if (isOutdated() && (await isReachable())) location.reload()
}

/** False while the server is down or starting, and if something else answers in its place. */
export const isReachable = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok, headers }) => ok && (headers.get('Content-Type') ?? '').startsWith('text/html'),
    () => false,
  )

/**
 * Reloads the page once when a chunk of an older build no longer exists, unless the server is down. A page with unsaved
 * work is reloaded at the next navigation.
 */
export function reloadOnceForMissingChunk(): void {
  window.addEventListener('vite:preloadError', async () => {
    if (hasUnsavedWork()) return noteMissingPart()
    const key = 'reloadedFor'
    if (sessionStorage.getItem(key) === ownBuild() || !(await isReachable())) return
    sessionStorage.setItem(key, ownBuild() ?? '')
    location.reload()
  })
}
