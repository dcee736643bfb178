import { useSnapshot } from 'valtio'
import { filesShown, openDrawer, openPanel } from './files.state.ts'
import { useIsBelow } from '#client/ui/useIsBelow.ts'

/** Visibility of the details: next to the content, or as a drawer on narrow screens. */
export function usePanel() {
  const { isPanelOpen, isDrawerOpen } = useSnapshot(filesShown)
  const isNarrow = useIsBelow(1024)
  const isOpen = isNarrow ? isDrawerOpen : isPanelOpen
  return { isNarrow, isOpen, open: isNarrow ? openDrawer : openPanel }
}
