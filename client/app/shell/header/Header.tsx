import { ActionIcon } from '@mantine/core'
import { IconCommand, IconHelp, IconMenu2 } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useSnapshot } from 'valtio'
import { useLinks } from '#client/app/links.ts'
import { live } from '#client/app/live/live.state.ts'
import { paletteKeys } from '#client/app/shell/keys/keys.ts'
import { openPalette } from '#client/app/shell/shellDialogs.state.ts'
import { DemoMark } from '#client/ui/DemoMark.tsx'
import { productName } from '#client/ui/productName.ts'
import { timeText } from '#client/ui/text/moment.ts'
import { AppSwitcher, FailureBell, SnapshotPicker, UserButton } from './HeaderMenus.tsx'
import { HeaderSearch } from './HeaderSearch.tsx'
import classes from './Header.module.css'
import mark from './ConnectionStatus.module.css'

/** Product, snapshot, connection status and user. */
export function Header({ onMenu, isMenuOpen }: { onMenu: () => void; isMenuOpen: boolean }) {
  const links = useLinks()
  const [screen] = useLocation()
  return (
    <header className={classes.header}>
      <ActionIcon className={classes.menu} aria-label="Navigation" aria-expanded={isMenuOpen} onClick={onMenu}>
        <IconMenu2 size={18} stroke={1.5} />
      </ActionIcon>
      <Link className={`plain-link bold radius-2 ${classes.product}`} href={links.dashboard()}>
        {productName}
      </Link>
      <DemoMark />
      <AppSwitcher />
      <HeaderSearch />
      <div className={`row push gap-8 ${classes.controls}`}>
        <SnapshotPicker />
        <ConnectionStatus />
        <FailureBell />
        <ActionIcon
          className={classes.commands}
          aria-label="Commands"
          title={`Commands (${paletteKeys.join(' ')})`}
          onClick={openPalette}
        >
          <IconCommand size={18} stroke={1.5} />
        </ActionIcon>
        <ActionIcon
          className={classes.commands}
          component={Link}
          href={links.help({ screen })}
          aria-label="Help for this screen"
          title="Help for this screen (?)"
        >
          <IconHelp size={18} stroke={1.5} />
        </ActionIcon>
        <UserButton />
      </div>
    </header>
  )
}

/** Connection status: tells whether data on screen is current. */
function ConnectionStatus() {
  const { phase, lastMessageAt } = useSnapshot(live)
  const word = {
    live: 'Live',
    connecting: 'Connecting',
    stale: `As of ${timeText(lastMessageAt)}`,
    offline: 'Offline',
  }[phase]
  return (
    <output className={mark.mark} data-phase={phase} aria-label={`Connection: ${word}`} title={word}>
      <span className={mark.dot} aria-hidden />
      <span className="wide-only" aria-hidden>
        {word}
      </span>
    </output>
  )
}
