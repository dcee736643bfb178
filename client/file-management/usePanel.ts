import { useMediaQuery } from '@mantine/hooks'
import { useSnapshot } from 'valtio'
import { filesShown, openDrawer, openPanel } from './files.state.ts'

/** Whether the details are shown: beside the content, or over it where there is no room beside. */
export function usePanel() {
  const { isPanelOpen, isDrawerOpen } = useSnapshot(filesShown)
  const isNarrow = useMediaQuery('(width < 1024px)', undefined, { getInitialValueInEffect: false }) === true
  const isOpen = isNarrow ? isDrawerOpen : isPanelOpen
  return { isNarrow, isOpen, open: isNarrow ? openDrawer : openPanel }
}
