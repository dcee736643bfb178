import { Menu } from '@mantine/core'
import { IconExternalLink, IconUserCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useLinks } from '../links.ts'
import { support } from '../support.ts'

/** Profile, and where to find help. */
export function ProfileMenu({ className }: { className: string | undefined }) {
  const links = useLinks()
  const outside = {
    target: '_blank',
    rel: 'noreferrer',
    rightSection: <IconExternalLink size={14} stroke={1.5} aria-hidden />,
  }
  return (
    <Menu position="right-end" width={200}>
      <Menu.Target>
        <button type="button" className={className}>
          <IconUserCircle size={18} stroke={1.5} aria-hidden />
          <span>Profile</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href={links.profile()}>
          Profile
        </Menu.Item>
        <Menu.Item component="a" href={support.help} {...outside}>
          Help
        </Menu.Item>
        <Menu.Item component="a" href={support.contact} {...outside}>
          Contact Support
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
