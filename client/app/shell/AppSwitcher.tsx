import { ActionIcon, Menu } from '@mantine/core'
import { IconApps, IconArrowsShuffle, IconChartHistogram, IconCheck } from '@tabler/icons-react'
import { orchestrationUrl } from '#events/session.ts'
import { useLinks } from '../links.ts'
import { useRemote } from '../remote.ts'

/** The way between this product, Intelligence, and Orchestration beside it; nothing where there is none. */
export function AppSwitcher() {
  const links = useLinks()
  const { data: address } = useRemote(orchestrationUrl, {})
  if (!address) return null
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <ActionIcon aria-label="Applications">
          <IconApps size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={address} leftSection={<IconArrowsShuffle size={16} stroke={1.5} aria-hidden />}>
          Orchestration
        </Menu.Item>
        <Menu.Item
          component="a"
          href={links.dashboard()}
          aria-current="true"
          leftSection={<IconChartHistogram size={16} stroke={1.5} aria-hidden />}
          rightSection={<IconCheck size={14} stroke={1.5} aria-hidden />}
        >
          Intelligence
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
