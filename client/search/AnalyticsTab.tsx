import { IconChartBar } from '@tabler/icons-react'
import { Notice } from '../ui/Notice.tsx'

/** Where charts of what was found will be. */
export function AnalyticsTab() {
  return <Notice icon={IconChartBar}>Analytics are not available in this version.</Notice>
}
