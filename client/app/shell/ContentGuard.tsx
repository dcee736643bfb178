import { Button } from '@mantine/core'
import { IconDatabaseOff, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Link, Redirect, useLocation } from 'wouter'
import type { CurrentUser } from '#events/users/session.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { refusalFor, seesNothing, session } from '#client/app/session.state.ts'
import { Page } from '#client/ui/Page.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { productName } from '#client/ui/productName.ts'
import { callOfScreen, mayOpen } from './screenCalls.ts'
import { RoleGuard } from './RoleGuard.tsx'
import { useScreenItems } from './rail/navigationItems.ts'

/** Screens that need no snapshot. The dashboard shows the progress of the first scan. */
const withoutSnapshot = [
  /^\/$/,
  /^\/(settings|storages)(\/|$)/,
  /^\/alerts$/,
  /^\/profile$/,
  /^\/event-log$/,
  /^\/help(\/|$)/,
]

/** Blocks screens that need a snapshot until there is one. */
export function ContentGuard({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { dates, active } = useActiveDate()
  const own = useSnapshot(session).user as CurrentUser | undefined
  const links = useLinks()
  if (own?.limits && !mayOpen(own, path)) {
    // The first screen after a sign-in has to be one that the user may open.
    if (path === '/') return <Redirect to={links.fileManagement()} replace />
    return (
      <ScreenHere>
        <Notice icon={IconLock}>{refusalFor(own.limits)}</Notice>
      </ScreenHere>
    )
  }
  const needsNone = own?.limits ? !callOfScreen(path) : withoutSnapshot.some((pattern) => pattern.test(path))
  if (active || needsNone) return children
  if (dates.data) return <NothingScanned isHidden={own !== undefined && seesNothing(own)} />
  if (!dates.error || dates.loading) return <Skeleton rows={8} isInset />
  return (
    <ScreenHere>
      <Failure error={dates.error} retry={dates.retry} />
    </ScreenHere>
  )
}

/** A page with the same title as its navigation item. */
function ScreenHere({ children }: { children: ReactNode }) {
  const here = useScreenItems().find(({ isHere }) => isHere)
  return <Page title={here?.label ?? productName}>{children}</Page>
}

function NothingScanned({ isHidden }: { isHidden: boolean }) {
  const links = useLinks()
  const step = (
    <RoleGuard needs="settings.edit">
      <Button variant="default" component={Link} href={links.addStorage()}>
        Scan a storage
      </Button>
    </RoleGuard>
  )
  return (
    <ScreenHere>
      <Notice icon={IconDatabaseOff} step={step}>
        {isHidden
          ? 'You see no projects, storages or folders yet. Ask an administrator to add some.'
          : 'Nothing has been scanned yet.'}
      </Notice>
    </ScreenHere>
  )
}
