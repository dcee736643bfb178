import { Menu } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { withBase } from '#client/app/place/basePath.ts'
import { useLinks } from '#client/app/links.ts'
import { session } from '#client/app/session.state.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'

/** API documentation. */
const help = withBase('/api/docs')

/** Profile and help. Opens inside the navigation, which clips overflow. */
export function ProfileMenu({ button }: ComponentProps<PopoverContent>) {
  const links = useLinks()
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
        <Menu.Item component="a" href={help} {...outside}>
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
