import {
  IconArrowsDiff,
  IconCalendarTime,
  IconDatabaseCog,
  IconListDetails,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react'
import { useLinks } from '../links.ts'
import { screenKeys } from './keys.ts'
import { useEntries } from './useEntries.ts'

/** Every screen that can be gone to without more words, with its keys. */
export function useScreens(): { label: string; icon: Icon; href: string; keys?: string }[] {
  const links = useLinks()
  const entries = useEntries().map(({ label, icon, href }) => {
    const letter = Object.entries(screenKeys).find(([, { screen }]) => screen === label)?.[0]
    return { label, icon, href, ...(letter !== undefined && { keys: `g ${letter}` }) }
  })
  return [
    ...entries,
    { label: 'Comparison of snapshots', icon: IconArrowsDiff, href: links.comparison() },
    { label: 'Settings: Data', icon: IconDatabaseCog, href: links.settingsData() },
    { label: 'Settings: Schedules', icon: IconCalendarTime, href: links.schedules() },
    { label: 'Settings: Jobs', icon: IconListDetails, href: links.jobs() },
    { label: 'Profile', icon: IconUserCircle, href: links.profile() },
  ]
}
