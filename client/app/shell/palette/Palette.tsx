import { Modal } from '@mantine/core'
import { Spotlight, closeSpotlight, openSpotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { closeShellDialog, shellDialogs } from '#client/app/shell/shellDialogs.state.ts'
import { useCommands } from './useCommands.tsx'
import classes from './Palette.module.css'

const maxResults = 60

/** Command palette for navigation and settings. */
export function Palette() {
  const { open } = useSnapshot(shellDialogs)
  const commands = useCommands()
  useEffect(() => (open === 'palette' ? openSpotlight() : closeSpotlight()), [open])
  return (
    <Spotlight
      actions={commands}
      shortcut={null}
      nothingFound="No matches."
      limit={maxResults}
      scrollable
      maxHeight={440}
      radius="md"
      overlayProps={{ backgroundOpacity: 0.5, blur: 0 }}
      onSpotlightClose={() => shellDialogs.open === 'palette' && closeShellDialog()}
      classNames={{
        content: classes.content,
        search: classes.search,
        action: classes.action,
        actionsGroup: classes.group,
      }}
      searchProps={{
        leftSection: <Sign />,
        placeholder: 'Go to a screen or a storage, or change the display',
        'aria-label': 'Command',
      }}
    />
  )
}

/** Icon of the search field, and the title of the dialog for screen readers. */
function Sign() {
  return (
    <>
      <IconSearch size={18} stroke={1.5} aria-hidden />
      <Modal.Title className={classes.title}>Commands</Modal.Title>
    </>
  )
}
