import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { Link } from 'wouter'
import { productName } from '../../ui/productName.ts'
import { useLinks } from '../links.ts'
import { FailureBell } from './FailureBell.tsx'
import { LiveMark } from './LiveMark.tsx'
import { SnapshotPicker } from './SnapshotPicker.tsx'
import { UserMenu } from './UserMenu.tsx'
import classes from './Header.module.css'

/** Which product and snapshot is shown, how the connection stands, and who is signed in. */
export function Header({ onMenu, isMenuOpen }: { onMenu: () => void; isMenuOpen: boolean }) {
  const links = useLinks()
  return (
    <header className={classes.header}>
      <ActionIcon className={classes.menu} aria-label="Navigation" aria-expanded={isMenuOpen} onClick={onMenu}>
        <IconMenu2 size={18} stroke={1.5} />
      </ActionIcon>
      <Link className={classes.product} href={links.dashboard()}>
        {productName}
      </Link>
      <div className={classes.controls}>
        <SnapshotPicker />
        <LiveMark />
        <FailureBell />
        <UserMenu />
      </div>
    </header>
  )
}
