import { useRef } from 'react'
import { useKeyDown } from '#client/ui/useKeyDown.ts'
import { ownPathname } from '#client/app/place/basePath.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { useLinks } from '#client/app/links.ts'
import { openPalette, typeAhead } from '#client/app/shell/shellDialogs.state.ts'
import { useSnapshotSteps } from '#client/app/shell/useSnapshotSteps.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { isHandledElsewhere } from '#client/ui/keys.ts'
import { screenOf } from './keys.ts'

/** Maximum time between `g` and the next key, in milliseconds. */
const chordTimeoutMs = 1_500
const toastMs = 2_500

/** Keyboard shortcuts of all screens. */
export function useShellKeys(): void {
  const keys = useKeys()
  const links = useLinks()
  const pressedG = useRef(-chordTimeoutMs)
  useKeyDown((event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') return keys.palette(event)
    if (typeAhead(event) || isHandledElsewhere(event)) return undefined
    const screen = event.timeStamp - pressedG.current < chordTimeoutMs ? screenOf(event.key) : undefined
    pressedG.current = event.key === 'g' ? event.timeStamp : -chordTimeoutMs
    const follow = screen ? () => navigate(screen.to(links)) : keys.single[event.key]
    if (!follow) return undefined
    event.preventDefault()
    return follow()
  })
}

function useKeys() {
  const { isKnown, older, newer } = useSnapshotSteps()
  const links = useLinks()
  const none = (which: string) => () =>
    isKnown && toast({ kind: 'info', message: `There is no ${which} snapshot.` }, toastMs)
  const single: Record<string, () => unknown> = {
    '/': () => focusSearch(() => navigate(links.search())),
    '[': older ?? none('older'),
    ']': newer ?? none('newer'),
    '?': () => navigate(links.help({ screen: ownPathname() })),
  }
  const palette = (event: KeyboardEvent) => {
    event.preventDefault()
    openPalette()
  }
  return { single, palette }
}

/** Prefers the search field of the page over that of the header. */
function focusSearch(otherwise: () => void): void {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type="search"], header input[type="search"]')
  const field = [...fields].toReversed().find((field) => field.checkVisibility() && !field.disabled)
  if (!field) return otherwise()
  field.focus()
  field.select()
}
