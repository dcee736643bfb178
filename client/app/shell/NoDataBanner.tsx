import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useActiveDate } from '../activeDate.ts'
import { useLinks } from '../links.ts'
import { Banner } from './Banner.tsx'

/** Shown as long as no day has a snapshot. */
export function NoDataBanner() {
  const { dates } = useActiveDate()
  const links = useLinks()
  if (dates.data?.length !== 0) return null
  return (
    <Banner icon={IconAlertTriangle} tone="warn">
      There is no data indexed. You need to do a scan <Link href={links.settingsData()}>here</Link>
    </Banner>
  )
}
