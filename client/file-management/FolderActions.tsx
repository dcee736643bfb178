import { ActionIcon, Button } from '@mantine/core'
import {
  type Icon,
  IconChartTreemap,
  IconEye,
  IconEyeOff,
  IconLayoutSidebarRight,
  IconSearch,
} from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { setDisplayOption, displayOptions } from '#client/ui/values/displayOptions.state.ts'
import { Segments } from '#client/ui/form/Segments.tsx'
import { filesShown, type Mode, openMap, showMode } from './files.state.ts'
import { usePanel } from './usePanel.ts'
import type { Place } from './usePlace.ts'
import classes from './Files.module.css'

const search = 'Show content as Search result'
const modes: { value: Mode; label: string }[] = [
  { value: 'tree', label: 'Tree' },
  { value: 'lists', label: 'Lists' },
]

/** Display options of the folder, and a search in it. */
export function FolderActions({ place: { path, volumeId } }: { place: Place & { volumeId: number } }) {
  const { mode, isMapOpen } = useSnapshot(filesShown)
  const { hidden } = useSnapshot(displayOptions)
  const { isOpen, open } = usePanel()
  const links = useLinks()
  return (
    <div className="row gap-8">
      <Button
        variant="default"
        component={Link}
        href={links.search({ startingPath: path, volumeId: String(volumeId) })}
        aria-label={search}
        title={search}
      >
        <IconSearch size={16} stroke={1.5} aria-hidden />
        <span className={classes.searchWords}>{search}</span>
      </Button>
      <Segments label="Display mode" options={modes} chosen={mode} onChoose={showMode} />
      <Switch
        word={hidden ? 'Hide hidden folders' : 'Show hidden folders'}
        icon={hidden ? IconEye : IconEyeOff}
        isOn={hidden}
        onSwitch={() => setDisplayOption('hidden', !hidden)}
      />
      {mode === 'tree' && (
        <Switch
          word={isMapOpen ? 'Hide the map' : 'Show the map'}
          icon={IconChartTreemap}
          isOn={isMapOpen}
          onSwitch={() => openMap(!isMapOpen)}
        />
      )}
      <Switch
        word={isOpen ? 'Hide the details' : 'Show the details'}
        icon={IconLayoutSidebarRight}
        isOn={isOpen}
        onSwitch={() => open(!isOpen)}
      />
    </div>
  )
}

type SwitchProps = { word: string; icon: Icon; isOn: boolean; onSwitch: () => void }

const Switch = ({ word, icon: Sign, isOn, onSwitch }: SwitchProps) => (
  <ActionIcon variant="subtle" aria-label={word} title={word} data-on={isOn} onClick={onSwitch}>
    <Sign size={18} stroke={1.5} />
  </ActionIcon>
)
