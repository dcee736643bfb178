import { Menu } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useSnapshot } from 'valtio'
import { Link, useLocation } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { session } from '#client/app/session.state.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'

/** Profile and help. Opens inside the navigation, which clips overflow. */
export function ProfileMenu({ button }: ComponentProps<PopoverContent>) {
  const links = useLinks()
  const [screen] = useLocation()
  const { user } = useSnapshot(session)
  const outside = {
    target: '_blank',
    rel: 'noreferrer',
    rightSection: <IconExternalLink size={14} stroke={1.5} aria-hidden />,
  }
  return (
    <Menu position="top-start" width={190}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href={links.profile()}>
          Profile
        </Menu.Item>
        <Menu.Item component={Link} href={links.help({ screen })}>
          Help
        </Menu.Item>
        {user?.supportUrl && (
          <Menu.Item component="a" href={user.supportUrl} {...outside}>
            Contact Support
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
