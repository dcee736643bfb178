import { Button } from '@mantine/core'
import { IconDatabaseOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Failure } from '../../ui/Failure.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { productName } from '../../ui/productName.ts'
import { useActiveDate } from '../activeDate.ts'
import { useLinks } from '../links.ts'
import { RoleGuard } from './RoleGuard.tsx'
import { useEntries } from './useEntries.ts'

/** These need no snapshot; the dashboard shows the first scan while it runs. */
const withoutSnapshot = [/^\/$/, /^\/settings(\/|$)/, /^\/profile$/, /^\/event-log$/]

/** Screens that read a snapshot wait until there is one. */
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

/** A page that is called as the navigation calls what is there. */
function ScreenHere({ children }: { children: ReactNode }) {
  const here = useEntries().find(({ isHere }) => isHere)
  return <Page title={here?.label ?? productName}>{children}</Page>
}

function NothingScanned() {
  const links = useLinks()
  const step = (
    <RoleGuard needs="settings.edit">
      <Button variant="default" component={Link} href={links.settingsData()}>
        Scan a storage
      </Button>
    </RoleGuard>
  )
  return (
    <ScreenHere>
      <Notice icon={IconDatabaseOff} step={step}>
        Nothing was scanned yet.
      </Notice>
    </ScreenHere>
  )
}
