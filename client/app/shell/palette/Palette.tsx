import { Modal } from '@mantine/core'
import { Spotlight, closeSpotlight, openSpotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { closeShellDialog, shellDialogs } from '#client/app/shell/shellDialogs.state.ts'
import { useCommands } from './useCommands.ts'
import classes from './Palette.module.css'

const maxResults = 60

/** Command palette: screens, actions, and everything with a name. */
export function Palette() {
  // At once, or the caret would jump to the end.
  const { open, typed } = useSnapshot(shellDialogs, { sync: true })
  const commands = useCommands(typed, open === 'palette')
  useEffect(() => (open === 'palette' ? openSpotlight() : closeSpotlight()), [open])
  return (
    <Spotlight
      actions={commands}
      query={typed}
      onQueryChange={(typed) => void (shellDialogs.typed = typed)}
      shortcut={null}
      nothingFound="No matches."
      limit={maxResults}
      scrollable
      maxHeight={440}
      radius="md"
      overlayProps={{ backgroundOpacity: 0.5, blur: 0 }}
      onSpotlightClose={() => shellDialogs.open === 'palette' && closeShellDialog()}
      classNames={{
        content: 'bordered raised',
        search: classes.search,
        action: classes.action,
        actionsGroup: classes.group,
      }}
      searchProps={{
        leftSection: <Sign />,
        placeholder: 'Search pages, storages and settings',
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
      <Modal.Title className="unseen">Commands</Modal.Title>
    </>
  )
}
