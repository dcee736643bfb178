import { type Pace, usualLookups, usualRequests } from '#events/scans/pace.ts'
import { typedNumber } from '#client/app/form.ts'
import { clockText, readTime } from '#client/parts/cron/timing.ts'
import type { FoldedInputs } from '#client/parts/settings-table/form.ts'
import { timeZone } from '#client/ui/text/timeZone.ts'

/** Fields of the pace in the form of a storage. */
export type PaceFields = {
  maxLookups: number | string
  /** '' means no limit. */
  maxEntriesPerSecond: number | string
  hasQuietHours: boolean
  quietFrom: string
  quietTo: string
  quietLookups: number | string
}

/** Words for what a scan has in flight, and their default limit. */
type Kind = { lookups: string; usual: number; help: string }

/** The pace in the forms of a kind of storage. */
function paceForm(kind: Kind) {
  const { usual } = kind
  const labels = labelsOf(kind)
  const fields: PaceFields = {
    maxLookups: usual,
    maxEntriesPerSecond: '',
    hasQuietHours: false,
    quietFrom: '08:00',
    quietTo: '18:00',
    quietLookups: 8,
  }
  return {
    fields,
    folded: foldedInputs(kind, fields),
    fromRow: (pace: Pace | null): PaceFields => ({ ...fields, ...(pace && fieldsOf(pace)) }),
    toDraft: (values: PaceFields): Pace | null => draftOf(values, usual),
    inputFor: {
      'pace.maxLookups': 'maxLookups',
      'pace.maxEntriesPerSecond': 'maxEntriesPerSecond',
      'pace.quietHours.from': 'quietFrom',
      'pace.quietHours.to': 'quietTo',
      'pace.quietHours.maxLookups': 'quietLookups',
    } as const,
    labels: {
      'pace.maxLookups': labels.maxLookups,
      'pace.maxEntriesPerSecond': labels.maxEntriesPerSecond,
      'pace.quietHours.from': 'From',
      'pace.quietHours.to': 'To',
      'pace.quietHours.maxLookups': labels.quietLookups,
    },
    /** Errors of two fields that don't fit together are shown at both, as either may have been changed last. */
    check: ({ hasQuietHours, quietFrom, quietTo, quietLookups, maxLookups }: PaceFields) => ({
      maxLookups:
        hasQuietHours &&
        typedNumber(quietLookups) > typedNumber(maxLookups) &&
        `${labels.maxLookups} must be at least ${quietLookups}, the limit in quiet hours`,
      quietFrom: hasQuietHours && clock(quietFrom) === clock(quietTo) && 'From must be a different time than To',
    }),
    /** Rows of the summary of a new storage. */
    review: (values: PaceFields): [string, string][] => {
      const { maxLookups, maxEntriesPerSecond, hasQuietHours, quietLookups } = values
      return [
        ...(typedNumber(maxLookups) === usual ? [] : [row(labels.maxLookups, maxLookups)]),
        ...(maxEntriesPerSecond === '' ? [] : [row(labels.maxEntriesPerSecond, maxEntriesPerSecond)]),
        ...(hasQuietHours ? [row('Quiet hours', quietHoursText(values)), row(labels.quietLookups, quietLookups)] : []),
      ]
    },
  }
}

const row = (name: string, value: number | string): [string, string] => [name, String(value)]

const labelsOf = ({ lookups }: Kind) => ({
  maxLookups: `Maximum concurrent ${lookups}`,
  maxEntriesPerSecond: 'Maximum entries per second',
  quietLookups: `Maximum concurrent ${lookups} in quiet hours`,
})

function foldedInputs(kind: Kind, defaults: PaceFields) {
  const { maxLookups, maxEntriesPerSecond, quietLookups } = labelsOf(kind)
  const isShown = ({ hasQuietHours }: PaceFields) => hasQuietHours
  return {
    summary: 'Scan options',
    defaults,
    inputs: [
      { name: 'maxLookups', label: maxLookups, kind: 'number', description: kind.help },
      {
        name: 'maxEntriesPerSecond',
        label: maxEntriesPerSecond,
        kind: 'number',
        description: 'For servers that must not notice a scan. Leave empty for no limit.',
      },
      {
        name: 'hasQuietHours',
        label: 'Quiet hours',
        kind: 'checkbox',
        description: (_: unknown, fields: PaceFields) =>
          (fields.hasQuietHours && quietHoursText(fields)) || 'Times of day at which scans are slower',
      },
      { name: 'quietFrom', label: 'From', placeholder: '08:00', isShown },
      { name: 'quietTo', label: 'To', placeholder: '18:00', isShown },
      { name: 'quietLookups', label: quietLookups, kind: 'number', isShown },
    ],
  } satisfies FoldedInputs<PaceFields, unknown>
}

const fieldsOf = ({ maxLookups, maxEntriesPerSecond, quietHours }: Pace): Partial<PaceFields> => ({
  maxLookups,
  maxEntriesPerSecond: maxEntriesPerSecond ?? '',
  ...(quietHours && {
    hasQuietHours: true,
    quietFrom: quietHours.from,
    quietTo: quietHours.to,
    quietLookups: quietHours.maxLookups,
  }),
})

/** Null if all fields have their defaults. */
function draftOf(values: PaceFields, usual: number): Pace | null {
  const { maxEntriesPerSecond, hasQuietHours, quietFrom, quietTo, quietLookups } = values
  const maxLookups = typedNumber(values.maxLookups)
  if (maxLookups === usual && maxEntriesPerSecond === '' && !hasQuietHours) return null
  return {
    maxLookups,
    maxEntriesPerSecond: maxEntriesPerSecond === '' ? null : Number(maxEntriesPerSecond),
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
