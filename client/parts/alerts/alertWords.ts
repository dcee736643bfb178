import type { AlertClass, Schedule } from '#events/schedules/calls.ts'
import { counted } from '#client/ui/text/count.ts'

/** Meaning of the limit of a storage or project: percent in use, or growth in percent or bytes. */
export type AlertMeasure = 'USED' | 'GROWTH' | 'GROWTH_BYTES'

type AlertTexts = {
  /** Label of the watched objects, the choices of all or some of them, and the message for an unknown name. */
  label: string
  all: string
  chosen: string
  none: string
  frequency?: string
}

const storages = {
  label: 'Storages',
  all: 'All storages, including new ones',
  chosen: 'Selected storages',
  none: 'No storage has this name',
}

/** Texts of each type of alert. */
export const alertTexts: Record<AlertClass, AlertTexts> = {
  VOLUME_SPACE_ALERT: {
    ...storages,
    frequency: 'Also sent once, after the scan in which a storage reaches the threshold.',
  },
  PROJECT_SPACE_ALERT: {
    label: 'Projects',
    all: 'All projects, including new ones',
    chosen: 'Selected projects',
    none: 'No project has this name',
    frequency: 'Also sent once, after the scan in which a project reaches the threshold.',
  },
  SCAN_FAILED_ALERT: { ...storages, frequency: 'Also sent once, after the scan that fails.' },
  SCAN_OVERDUE_ALERT: { ...storages, frequency: 'Also sent once, when a storage becomes overdue.' },
  REPORT_CHECK_ALERT: {
    label: 'Reports',
    all: 'All reports, including new ones',
    chosen: 'Selected reports',
    none: 'No report with a check has this name',
  },
  MASS_CHANGE_ALERT: storages,
}

/** Measures of alerts of storages and projects. */
export const measureLabels: Record<'VOLUME_SPACE_ALERT' | 'PROJECT_SPACE_ALERT', Record<AlertMeasure, string>> = {
  VOLUME_SPACE_ALERT: { USED: 'Used capacity', GROWTH: 'Growth in percent', GROWTH_BYTES: 'Growth in bytes' },
  PROJECT_SPACE_ALERT: {
    USED: 'Share of the allocated size',
    GROWTH: 'Growth in percent',
    GROWTH_BYTES: 'Growth in bytes',
  },
}

/** `80 %`, `+20 % in 7 days`, `+100 GiB in 7 days`, `1,000 files in 5 minutes`, or `7 days without a scan`; empty for alerts without a limit. */
export function limitText(payload: Schedule['payload'], sizeText: (bytes: number) => string): string {
  if ('days' in payload) return `${counted(payload.days, 'day')} without a scan`
  if ('files' in payload) return `${counted(payload.files, 'file')} in 5 minutes`
  if (!('threshold' in payload)) return ''
  const { threshold, growthDays, growthBytes } = payload
  if (growthDays === undefined) return `${threshold} %`
  return `+${growthBytes === undefined ? `${threshold} %` : sizeText(growthBytes)} in ${counted(growthDays, 'day')}`
}
