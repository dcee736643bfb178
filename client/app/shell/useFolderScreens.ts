import { IconArrowsDiff, IconChartLine, IconChartTreemap, IconFolder, type Icon } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { useQuery } from '../address.ts'
import { useLinks } from '../links.ts'

/** Where the folder that the address names can be looked at. */
export function useFolderScreens(): { label: string; description: string; icon: Icon; href: string }[] {
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
  if (!isFolder) return []
  return screens
    .filter((one) => one.screen !== screen)
    .map(({ label, icon, linkTo }) => ({ label, description: path, icon, href: linkTo({ volumeId, path }) }))
}
