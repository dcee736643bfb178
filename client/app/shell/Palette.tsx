import { Spotlight, closeSpotlight, openSpotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import classes from './Palette.module.css'
import { closeShellDialog, shellDialogs } from './shellDialogs.state.ts'
import { useCommands } from './useCommands.tsx'

const shownAtMost = 60

/** All that can be gone to or switched, by a few letters of its name. */
export function Palette() {
  const { open } = useSnapshot(shellDialogs)
  const commands = useCommands()
  useEffect(() => (open === 'palette' ? openSpotlight() : closeSpotlight()), [open])
  return (
    <Spotlight
      actions={commands}
      shortcut={null}
      nothingFound="Nothing of this name."
      limit={shownAtMost}
      scrollable
      maxHeight={440}
      radius="md"
      overlayProps={{ backgroundOpacity: 0.5, blur: 0 }}
      onSpotlightClose={() => shellDialogs.open === 'palette' && closeShellDialog()}
      title="Commands"
      classNames={{
        content: classes.content,
        header: classes.header,
        search: classes.search,
        action: classes.action,
        actionsGroup: classes.group,
      }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.5} aria-hidden />,
        placeholder: 'Go to a screen or a storage, or change the display',
        'aria-label': 'Command',
      }}
    />
  )
}
