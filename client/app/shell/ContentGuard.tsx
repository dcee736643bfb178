import { Button } from '@mantine/core'
import { IconDatabaseOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { Page } from '#client/ui/Page.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { productName } from '#client/ui/productName.ts'
import { RoleGuard } from './RoleGuard.tsx'
import { useNavigationItems } from './rail/navigationItems.ts'

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
  if (active || withoutSnapshot.some((pattern) => pattern.test(path))) return children
  if (dates.data) return <NothingScanned />
  if (!dates.error || dates.loading) return <Skeleton rows={8} isInset />
  return (
    <ScreenHere>
      <Failure error={dates.error} retry={dates.retry} />
    </ScreenHere>
  )
}

/** A page with the same title as its navigation item. */
function ScreenHere({ children }: { children: ReactNode }) {
  const here = useNavigationItems().find(({ isHere }) => isHere)
  return <Page title={here?.label ?? productName}>{children}</Page>
}

function NothingScanned() {
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
        Nothing has been scanned yet.
      </Notice>
    </ScreenHere>
  )
}
