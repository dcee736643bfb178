import { useEffect, useRef } from 'react'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconEye } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { clockProblem, confirmClock, healthProblems } from '#events/health.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { call } from '#client/app/call.ts'
import { session, stopView } from '#client/app/session.state.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Banner } from './Banner.tsx'
import classes from '#client/app/shell/Shell.module.css'

/** Banners for all screens. They stick below the header, above the page. */
export function Banners() {
  const banners = useRef<HTMLDivElement>(null)
  useEffect(() => makeRoom(banners.current), [])
  return (
    <div ref={banners} className={classes.banners}>
      <ViewBanner />
      <OfflineBanner />
      <RoleGuard needs={healthProblems.needs}>
        <HealthBanners />
      </RoleGuard>
      <NoDataBanner />
    </div>
  )
}

/** Shown while an administrator sees the product as another user. */
function ViewBanner() {
  const { user } = useSnapshot(session)
  const [busy, stop] = useBusy(stopView)
  if (user?.viewedBy === undefined) return null
  return (
    <Banner
      icon={IconEye}
      tone="warn"
      action={
        <Button variant="default" loading={busy} onClick={() => stop()}>
          Stop
        </Button>
      }
    >
      You see what {user.name} sees. Nothing can be changed.
    </Banner>
  )
}

/** Publishes the height of the banners to style sheets, since their text wraps on narrow screens. */
function makeRoom(banners: HTMLElement | null): (() => void) | undefined {
  if (!banners) return undefined
  const tell = () => banners.parentElement?.style.setProperty('--banners', `${banners.offsetHeight}px`)
  const sizes = new ResizeObserver(tell)
  sizes.observe(banners)
  return () => sizes.disconnect()
}

/** Shown until the first snapshot exists. */
function NoDataBanner() {
  const { dates } = useActiveDate()
  const links = useLinks()
  const { user } = useSnapshot(session)
  // Users with limits may see nothing of the data that is indexed, which the page says.
  if (dates.data?.length !== 0 || user?.limits) return null
  return (
    <Banner icon={IconAlertTriangle} tone="warn">
      There is no data indexed.{' '}
      <RoleGuard needs="settings.edit" otherwise="An administrator needs to do a scan.">
        You need to do a scan <Link href={links.addStorageType()}>here</Link>
      </RoleGuard>
    </Banner>
  )
}

/** Problems of the product itself, for users who can fix them. */
function HealthBanners() {
  const { data = [] } = useRemote(healthProblems, {}, 'health')
  return data.map(({ key, message }) => (
    <Banner key={key} icon={IconAlertTriangle} tone="critical" action={key === clockProblem && <ConfirmClock />}>
      {message}
    </Banner>
  ))
}

function ConfirmClock() {
  const [busy, confirm] = useBusy(async () => {
    await call(confirmClock, {})
  })
  return (
    <Button variant="default" loading={busy} onClick={() => confirm()}>
      Confirm date
    </Button>
  )
}
