import { z } from 'zod'
import { type Pace, usualLookups, usualRequests } from '#events/contract/pace.ts'
import { typedNumber } from '#client/app/form.ts'
import { clockText, readTime } from '#client/parts/cron/timing.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { timeZone } from '#client/ui/text/timeZone.ts'

/** Words for what a scan has in flight, and their default limit. */
type Kind = { lookups: string; usual: number; help: string }

const foldedUnder = 'Scan options'

type Paced = { pace: Pace | null }

const hasQuietHours = (fields: { hasQuietHours: boolean }) => fields.hasQuietHours

const maxEntriesPerSecond = {
  label: 'Maximum entries per second',
  description: 'For servers that must not notice a scan. Leave empty for no limit.',
  kind: 'number',
  initial: '' as number | string,
  to: 'pace.maxEntriesPerSecond',
  read: ({ pace }: Paced) => pace?.maxEntriesPerSecond ?? '',
  foldedUnder,
} as const

const timeField = (key: 'from' | 'to', label: string, initial: string) =>
  ({
    label,
    placeholder: initial,
    initial,
    to: `pace.quietHours.${key}`,
    read: ({ pace }: Paced) => pace?.quietHours?.[key] ?? initial,
    isShown: hasQuietHours,
    foldedUnder,
  }) as const

/** Field for storages whose media files are read. */
export const mediaFilesPerSecond = {
  ...maxEntriesPerSecond,
  label: 'Maximum media files per second',
  description: 'Leave empty for the limit of scans. Quiet hours are those of scans.',
  to: 'pace.maxMediaFilesPerSecond',
  read: ({ pace }: Paced) => pace?.maxMediaFilesPerSecond ?? '',
  isShown: ({ readMedia }: { readMedia: boolean }) => readMedia,
} as const

/** The pace in the forms of a kind of storage. */
function paceForm({ lookups, usual, help }: Kind) {
  const label = `Maximum concurrent ${lookups}`
  const form = describeForm<Paced, Paced>()({
    schema: z.unknown(),
    fields: {
      maxLookups: {
        label,
        description: help,
        kind: 'number',
        initial: usual as number | string,
        to: ['pace', 'pace.maxLookups'],
        read: ({ pace }) => pace?.maxLookups ?? usual,
        write: (_, fields) => draftOf(fields, usual),
        // Errors of two fields that don't fit together are shown at both, as either may have been changed last.
        check: (maxLookups, { hasQuietHours, quietLookups }) =>
          hasQuietHours &&
          typedNumber(quietLookups) > typedNumber(maxLookups) &&
          `${label} must be at least ${quietLookups}, the limit in quiet hours`,
        foldedUnder,
      },
      maxEntriesPerSecond,
      hasQuietHours: {
        label: 'Quiet hours',
        description: (_, fields) =>
          (fields.hasQuietHours && quietHoursText(fields)) || 'Times of day at which scans are slower',
        kind: 'checkbox',
        initial: false as boolean,
        to: null,
        read: ({ pace }) => !!pace?.quietHours,
        foldedUnder,
      },
      quietFrom: {
        ...timeField('from', 'From', '08:00'),
        check: (from, { hasQuietHours, quietTo }) =>
          hasQuietHours && clock(from) === clock(quietTo) && 'From must be a different time than To',
      },
      quietTo: timeField('to', 'To', '18:00'),
      quietLookups: quietLookupsField(label),
    },
  })
  return {
    ...form,
    names: Object.keys(form.fields) as (keyof typeof form.fields)[],
    review: (values: PaceFields) => reviewOf(values, label, usual),
  }
}

const quietLookupsField = (label: string) =>
  ({
    label: `${label} in quiet hours`,
    kind: 'number',
    initial: 8 as number | string,
    to: 'pace.quietHours.maxLookups',
    read: ({ pace }: Paced) => pace?.quietHours?.maxLookups ?? 8,
    isShown: hasQuietHours,
    foldedUnder,
  }) as const

/** Rows of the summary of a new storage. */
function reviewOf(values: PaceFields, label: string, usual: number): [string, string][] {
  const { maxLookups, hasQuietHours, quietLookups } = values
  return [
    ...(typedNumber(maxLookups) === usual ? [] : [row(label, maxLookups)]),
    ...(values.maxEntriesPerSecond === '' ? [] : [row(maxEntriesPerSecond.label, values.maxEntriesPerSecond)]),
    ...(values.mediaFilesPerSecond ? [row(mediaFilesPerSecond.label, values.mediaFilesPerSecond)] : []),
    ...(hasQuietHours
      ? [row('Quiet hours', quietHoursText(values)), row(`${label} in quiet hours`, quietLookups)]
      : []),
  ]
}

const row = (name: string, value: number | string): [string, string] => [name, String(value)]

type PaceFields = {
  maxLookups: number | string
  maxEntriesPerSecond: number | string
  hasQuietHours: boolean
  quietLookups: number | string
  mediaFilesPerSecond?: number | string
} & QuietHours

/** Null if all fields have their defaults. */
function draftOf(values: PaceFields, usual: number): Pace | null {
  const { maxEntriesPerSecond, mediaFilesPerSecond = '', hasQuietHours, quietFrom, quietTo, quietLookups } = values
  const maxLookups = typedNumber(values.maxLookups)
  if (maxLookups === usual && `${maxEntriesPerSecond}${mediaFilesPerSecond}` === '' && !hasQuietHours) return null
  return {
    maxLookups,
    maxEntriesPerSecond: maxEntriesPerSecond === '' ? null : Number(maxEntriesPerSecond),
    ...(mediaFilesPerSecond !== '' && { maxMediaFilesPerSecond: Number(mediaFilesPerSecond) }),
    quietHours: hasQuietHours
      ? { from: clock(quietFrom), to: clock(quietTo), maxLookups: typedNumber(quietLookups) }
      : null,
  }
}
/** `07:30` for any way to type it; other text stays, for its error. */
function clock(text: string): string {
  const time = readTime(text)
  return time ? clockText(time.hour, time.minute) : text
}

type QuietHours = { quietFrom: string; quietTo: string }

/** `From 22:00 to 06:00 on the next day, in the server's time zone (America/Denver)`; empty if a time is invalid. */
function quietHoursText({ quietFrom, quietTo }: QuietHours): string {
  const [from, to] = [clock(quietFrom), clock(quietTo)]
  if (!readTime(from) || !readTime(to) || from === to) return ''
  return `From ${from} to ${to}${to < from ? ' on the next day' : ''}, in the server's time zone (${timeZone})`
}

/** Pace of a folder or a share. */
export const paceOfLookups = paceForm({
  lookups: 'lookups',
  usual: usualLookups,
  help: 'Scans use fewer where more would not be faster. Lower it if scans slow down the server for others.',
})

const requests = { lookups: 'requests', usual: usualRequests }

/** Pace of a bucket or an archive. */
export const paceOfRequests = paceForm({
  ...requests,
  help: 'Scans use fewer where more would not be faster. Lower it if the service delays or refuses requests of others.',
})

/** Pace of a cluster, which a setting limits further. */
export const paceOfClusters = paceForm({
  ...requests,
  help: 'Lower it if scans slow down the cluster for others. Scans never use more than Dell PowerScale threads in Settings › System.',
})
