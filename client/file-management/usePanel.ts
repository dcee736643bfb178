import { useMediaQuery } from '@mantine/hooks'
import { useSnapshot } from 'valtio'
import { filesShown, openDrawer, openPanel } from './files.state.ts'

/** Visibility of the details: next to the content, or as a drawer on narrow screens. */
export function usePanel() {
  const { isPanelOpen, isDrawerOpen } = useSnapshot(filesShown)
  const isNarrow = useMediaQuery('(width < 1024px)', undefined, { getInitialValueInEffect: false }) === true
  const isOpen = isNarrow ? isDrawerOpen : isPanelOpen
  return { isNarrow, isOpen, open: isNarrow ? openDrawer : openPanel }
}
