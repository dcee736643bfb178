import { ActionIcon } from '@mantine/core'
import { IconCommand, IconMenu2 } from '@tabler/icons-react'
import { Link } from 'wouter'
import { productName } from '../../ui/productName.ts'
import { useLinks } from '../links.ts'
import { AppSwitcher } from './AppSwitcher.tsx'
import { FailureBell } from './FailureBell.tsx'
import { HeaderSearch } from './HeaderSearch.tsx'
import { paletteKeys } from './keys.ts'
import { LiveMark } from './LiveMark.tsx'
import { openPalette } from './shellDialogs.state.ts'
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
      <AppSwitcher />
      <HeaderSearch />
      <div className={classes.controls}>
        <SnapshotPicker />
        <LiveMark />
        <FailureBell />
        <ActionIcon
          className={classes.commands}
          aria-label="Commands"
          title={`Commands (${paletteKeys.join(' ')})`}
          onClick={openPalette}
        >
          <IconCommand size={18} stroke={1.5} />
        </ActionIcon>
        <UserMenu />
      </div>
    </header>
  )
}
