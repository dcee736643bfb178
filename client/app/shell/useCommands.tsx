import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionGroupData } from '@mantine/spotlight'
import {
  IconChevronLeft,
  IconChevronRight,
  IconCircleHalf2,
  IconFolder,
  IconKeyboard,
  IconPlayerSkipForward,
  IconRulerMeasure,
  IconServer,
  type Icon,
} from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { navigate } from 'wouter/use-browser-location'
import { storages } from '#events/storages.ts'
import { chooseSizeBase } from '../../ui/sizeBase.state.ts'
import { useActiveDate } from '../activeDate.ts'
import { useLinks } from '../links.ts'
import { useRemote } from '../remote.ts'
import { schemes, sizeBases } from './displayChoices.ts'
import { recentFolders } from './recentFolders.state.ts'
import { openKeys } from './shellDialogs.state.ts'
import { useFolderScreens } from './useFolderScreens.ts'
import { useScreens } from './useScreens.ts'
import { useSnapshotSteps } from './useSnapshotSteps.ts'

type Command = { label: string; description?: string; icon: Icon; keys?: string; follow: () => void }

/** What the palette offers, by group. */
export function useCommands(): SpotlightActionGroupData[] {
  const screens = useScreens().map(asCommand)
  const { folders, volumes } = usePlaces()
  return [
    group('Screens', screens),
    group('This folder', useFolderScreens().map(asCommand)),
    group('Snapshots', useSnapshots()),
    group('Recent folders', folders),
    group('Display', useDisplay()),
    group('Storages', volumes),
  ].filter(({ actions }) => actions.length > 0)
}

const asCommand = <Place extends { href: string }>({ href, ...screen }: Place) => ({
  ...screen,
  follow: () => navigate(href),
})

const group = (name: string, commands: Command[]): SpotlightActionGroupData => ({
  group: name,
  actions: commands.map(({ label, description, icon: Sign, keys, follow }, index) => ({
    id: `${name} ${index} ${label}`,
    label,
    ...(description !== undefined && { description }),
    leftSection: <Sign size={18} stroke={1.5} aria-hidden />,
    rightSection: keys && <kbd>{keys}</kbd>,
    onClick: follow,
  })),
})

function usePlaces(): { folders: Command[]; volumes: Command[] } {
  const links = useLinks()
  const { list } = useSnapshot(recentFolders)
  const { indexingDate } = useActiveDate()
  const query = {
    sort: 'NAME' as const,
    direction: 'asc' as const,
    ...(indexingDate !== undefined && { indexingDate }),
  }
  const { data } = useRemote(storages, { query }, 'volumes')
  const known = data?.elements ?? []
  const at = (volumeId: number, path: string) => () => navigate(links.fileManagement({ path, volumeId }))
  const folders = list.flatMap(({ volumeId, path }) => {
    const storage = known.find(({ id }) => id === volumeId)
    return storage ? [{ label: path, description: storage.name, icon: IconFolder, follow: at(volumeId, path) }] : []
  })
  const volumes = known.map(({ id, name }) => ({ label: name, icon: IconServer, follow: at(id, '/') }))
  return { folders, volumes }
}

function useSnapshots(): Command[] {
  const { older, newer, newest } = useSnapshotSteps()
  return [
    ...(older ? [{ label: 'Older snapshot', icon: IconChevronLeft, keys: '[', follow: older }] : []),
    ...(newer ? [{ label: 'Newer snapshot', icon: IconChevronRight, keys: ']', follow: newer }] : []),
    ...(newest ? [{ label: 'Newest snapshot', icon: IconPlayerSkipForward, follow: newest }] : []),
  ]
}

function useDisplay(): Command[] {
  const { setColorScheme } = useMantineColorScheme()
  return [
    ...schemes.map(({ value, words }) => ({
      label: `Colours: ${words}`,
      icon: IconCircleHalf2,
      follow: () => setColorScheme(value),
    })),
    ...sizeBases.map(({ value, words }) => ({
      label: `Sizes: ${words}`,
      icon: IconRulerMeasure,
      follow: () => chooseSizeBase(value),
    })),
    { label: 'Keys', icon: IconKeyboard, keys: '?', follow: openKeys },
  ]
}
