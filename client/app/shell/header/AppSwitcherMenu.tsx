import { Menu } from '@mantine/core'
import { IconArrowsShuffle, IconChartHistogram, IconCheck } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { orchestrationUrl } from '#events/users/session.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'

/** List of products; this one is Intelligence. */
export function AppSwitcherMenu({ button }: ComponentProps<PopoverContent>) {
  const links = useLinks()
  const { data: address } = useRemote(orchestrationUrl, {})
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={address} leftSection={<IconArrowsShuffle size={16} stroke={1.5} aria-hidden />}>
          Orchestration
        </Menu.Item>
        <Menu.Item
          component="a"
          href={withBase(links.dashboard())}
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
