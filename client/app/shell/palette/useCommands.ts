import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionGroupData } from '@mantine/spotlight'
import {
  IconChevronLeft,
  IconChevronRight,
  IconCircleHalf2,
  IconFolder,
  IconHelpCircle,
  IconKeyboard,
  IconPlayerSkipForward,
  IconRulerMeasure,
  IconServer,
  IconBroadcast,
  type Icon,
  IconArrowsDiff,
  IconChartLine,
  IconChartTreemap,
  IconCalendarTime,
  IconDatabaseCog,
  IconUserCircle,
  IconDeviceTv,
  IconKey,
  IconMail,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { navigate } from '#client/app/place/navigate.ts'
import { useLocation } from 'wouter'
import type { Needs } from '#events/contract/needs.ts'
import { storages } from '#events/storages.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { nowDate, useActiveDate } from '#client/app/activeDate.ts'
import { useFollowedStorages } from '#client/app/shell/useFollowedStorages.ts'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { type SettingsPageName, settingsPages } from '#client/app/place/settingsPages.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { schemes, sizeBases } from '#client/app/shell/displayChoices.ts'
import { mayOpen } from '#client/app/shell/screenCalls.ts'
import { screenKeys } from '#client/app/shell/keys/keys.ts'
import { useNavigationItems } from '#client/app/shell/rail/navigationItems.ts'
import { openKeys } from '#client/app/shell/shellDialogs.state.ts'
import { useSnapshotSteps } from '#client/app/shell/useSnapshotSteps.ts'
import { chooseSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { asCommand, type Command, group } from './command.tsx'
import { recentFolders } from './recentFolders.state.ts'
import { useActions } from './useActions.ts'
import { useFound } from './useFound.ts'

/** Commands of the palette, by group, for the typed text. The names of an open palette are loaded. */
export function useCommands(typed: string, isOpen: boolean): SpotlightActionGroupData[] {
  const screens = useScreens().map(asCommand)
  const { folders, volumes } = usePlaces()
  const found = useFound(typed, isOpen)
  return [
    group('Screens', screens),
    group('Actions', useActions()),
    group('This folder', useFolderScreens().map(asCommand)),
    group('Snapshots', useSnapshots()),
    group('Recent folders', folders),
    group('Display', useDisplay()),
    group('Storages', volumes),
    group('Projects', found.projects),
    group('Reports', found.reports),
    group('Folders', found.folders),
    group('Help', found.help),
    group('Search', found.search),
  ].filter(({ actions }) => actions.length > 0)
}

function usePlaces(): { folders: Command[]; volumes: Command[] } {
  const links = useLinks()
  const { list } = useSnapshot(recentFolders)
  const userId = useSnapshot(session).user?.id
  const { indexingDate } = useActiveDate()
  const query = {
    sort: 'NAME' as const,
    direction: 'asc' as const,
    ...(indexingDate !== undefined && { indexingDate }),
  }
  const { data } = useRemote(storages, { query }, 'volumes')
  const known = data?.elements ?? []
  const at = (volumeId: number, path: string) => () => navigate(links.fileManagement({ path, volumeId }))
  const own = list.filter((folder) => folder.userId === userId)
  const folders = own.flatMap(({ volumeId, path }) => {
    const storage = known.find(({ id }) => id === volumeId)
    return storage ? [{ label: path, description: storage.name, icon: IconFolder, follow: at(volumeId, path) }] : []
  })
  const volumes = known.map(({ id, name }) => ({ label: name, icon: IconServer, follow: at(id, '/') }))
  return { folders, volumes }
}

function useSnapshots(): Command[] {
  const { older, newer, newest } = useSnapshotSteps()
  const { isNow, mayBeNow, choose } = useActiveDate()
  const hasLive = (useFollowedStorages().data?.length ?? 0) > 0
  return [
    ...(mayBeNow && hasLive && !isNow ? [{ label: 'Now', icon: IconBroadcast, follow: () => choose(nowDate) }] : []),
    ...(older ? [{ label: 'Older snapshot', icon: IconChevronLeft, keys: '[', follow: older }] : []),
    ...(newer ? [{ label: 'Newer snapshot', icon: IconChevronRight, keys: ']', follow: newer }] : []),
    ...(newest ? [{ label: 'Newest snapshot', icon: IconPlayerSkipForward, follow: newest }] : []),
  ]
}

function useDisplay(): Command[] {
  const { setColorScheme } = useMantineColorScheme()
  return [
    ...schemes.map(({ value, label }) => ({
      label: `Colors: ${label}`,
      icon: IconCircleHalf2,
      follow: () => setColorScheme(value),
    })),
    ...sizeBases.map(({ value, label }) => ({
      label: `Sizes: ${label}`,
      icon: IconRulerMeasure,
      follow: () => chooseSizeBase(value),
    })),
    { label: 'Keyboard shortcuts', icon: IconKeyboard, follow: openKeys },
  ]
}

/** Other screens for the folder in the URL. */
function useFolderScreens(): { label: string; description: string; icon: Icon; href: string }[] {
  const links = useLinks()
  const [screen] = useLocation()
  const [query] = useQuery()
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') ?? '/'
  const screens = [
    { screen: '/filemanagement', label: 'File Management', icon: IconFolder, linkTo: links.fileManagement },
    { screen: '/folders', label: 'Folder analytics', icon: IconChartLine, linkTo: links.folders },
    { screen: '/comparison', label: 'Comparison', icon: IconArrowsDiff, linkTo: links.comparison },
    { screen: '/map', label: 'Map', icon: IconChartTreemap, linkTo: links.map },
  ]
  const isFolder = screens.some((one) => one.screen === screen) && Number.isInteger(volumeId) && volumeId > 0
  const { user } = useSnapshot(session)
  if (!isFolder) return []
  return screens
    .filter((one) => one.screen !== screen && mayOpen(user as CurrentUser | undefined, one.screen))
    .map(({ label, icon, linkTo }) => ({ label, description: path, icon, href: linkTo({ volumeId, path }) }))
}

/** Pages of the settings with their contents, which can be searched. Jobs are in the navigation. */
const settingsEntries: Record<Exclude<SettingsPageName, 'jobs'>, { icon: Icon; description: string }> = {
  system: { icon: IconSettings, description: 'Retention, scan options, application URL, snapshots, logs, restart' },
  mail: { icon: IconMail, description: 'Mail server and test email' },
  users: { icon: IconUsers, description: 'Accounts, roles, passwords and sessions' },
  tokens: { icon: IconKey, description: 'API tokens for scripts' },
  walls: { icon: IconDeviceTv, description: 'Wall displays' },
  data: { icon: IconDatabaseCog, description: 'Storages, credentials, price books, agents and integrations' },
  schedules: { icon: IconCalendarTime, description: 'When scans run' },
}

/** Screens that need no parameters, with their shortcuts. */
function useScreens(): { label: string; description?: string; icon: Icon; href: string; keys?: string }[] {
  const links = useLinks()
  const entries = useNavigationItems().map(({ label, icon, href }) => {
    const letter = Object.entries(screenKeys).find(([, { screen }]) => screen === label)?.[0]
    return { label, icon, href, ...(letter !== undefined && { keys: `g ${letter}` }) }
  })
  const [screen] = useLocation()
  const { user } = useSnapshot(session)
  const may = (what: Needs) => userMay(user as CurrentUser | undefined, what)
  const settings = Object.entries(settingsEntries).map(([page, entry]) => ({
    ...entry,
    label: `Settings: ${settingsPages[page as SettingsPageName].title}`,
    href: links.settings(page as SettingsPageName),
  }))
  return [
    ...entries,
    ...(may('settings.edit') ? settings : []),
    { label: 'Profile', icon: IconUserCircle, href: links.profile() },
    { label: 'Help', icon: IconHelpCircle, href: links.help({ screen }), keys: '?' },
  ]
}
