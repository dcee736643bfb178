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

const rate = 'Maximum entries per second'

/** The pace in the forms of a kind of storage. `lookups` names what a scan has in flight, `usual` is their default limit. */
function paceForm({ lookups, usual, help }: { lookups: string; usual: number; help: string }) {
  const fields: PaceFields = {
    maxLookups: usual,
    maxEntriesPerSecond: '',
    hasQuietHours: false,
    quietFrom: '08:00',
    quietTo: '18:00',
    quietLookups: usual / 8,
  }
  const maximum = `Maximum concurrent ${lookups}`
  const inQuietHours = `${maximum} in quiet hours`
  const isShown = ({ hasQuietHours }: PaceFields) => hasQuietHours
  return {
    fields,
    folded: {
      summary: 'Scan options',
      defaults: fields,
      inputs: [
        { name: 'maxLookups', label: maximum, kind: 'number', description: help },
        {
          name: 'maxEntriesPerSecond',
          label: rate,
          kind: 'number',
          description: 'For servers that must not notice a scan. Leave empty for no limit.',
        },
        {
          name: 'hasQuietHours',
          label: 'Quiet hours',
          kind: 'checkbox',
          description: (_: unknown, fields: PaceFields) =>
            (fields.hasQuietHours && quietHoursText(fields)) || 'Scans are slower at the times of day that you set',
        },
        { name: 'quietFrom', label: 'From', placeholder: '08:00', isShown },
        { name: 'quietTo', label: 'To', placeholder: '18:00', isShown },
        { name: 'quietLookups', label: inQuietHours, kind: 'number', isShown },
      ],
    } satisfies FoldedInputs<PaceFields, unknown>,
    fromRow: (pace: Pace | null): PaceFields => ({
      ...fields,
      ...(pace && { maxLookups: pace.maxLookups, maxEntriesPerSecond: pace.maxEntriesPerSecond ?? '' }),
      ...(pace?.quietHours && {
        hasQuietHours: true,
        quietFrom: pace.quietHours.from,
        quietTo: pace.quietHours.to,
        quietLookups: pace.quietHours.maxLookups,
      }),
    }),
    /** Null if all fields have their defaults. */
    toDraft: ({
      maxEntriesPerSecond: entries,
      hasQuietHours,
      quietFrom,
      quietTo,
      ...values
    }: PaceFields): Pace | null => {
      const maxLookups = typedNumber(values.maxLookups)
      if (maxLookups === usual && entries === '' && !hasQuietHours) return null
      const quietHours = { from: clock(quietFrom), to: clock(quietTo), maxLookups: typedNumber(values.quietLookups) }
      return {
        maxLookups,
        maxEntriesPerSecond: entries === '' ? null : Number(entries),
        quietHours: hasQuietHours ? quietHours : null,
      }
    },
    inputFor: {
      'pace.maxLookups': 'maxLookups',
      'pace.maxEntriesPerSecond': 'maxEntriesPerSecond',
      'pace.quietHours.from': 'quietFrom',
      'pace.quietHours.to': 'quietTo',
      'pace.quietHours.maxLookups': 'quietLookups',
    } as const,
    labels: {
      'pace.maxLookups': maximum,
      'pace.maxEntriesPerSecond': rate,
      'pace.quietHours.from': 'From',
      'pace.quietHours.to': 'To',
      'pace.quietHours.maxLookups': inQuietHours,
    },
    /** Rows of the summary of a new storage. */
    review: (values: PaceFields): [string, string][] => [
      ...(String(values.maxLookups) === String(usual) ? [] : [row(maximum, values.maxLookups)]),
      ...(values.maxEntriesPerSecond === '' ? [] : [row(rate, values.maxEntriesPerSecond)]),
      ...(values.hasQuietHours
        ? [row('Quiet hours', quietHoursText(values) ?? ''), row(inQuietHours, values.quietLookups)]
        : []),
    ],
  }
}

const row = (name: string, value: number | string): [string, string] => [name, String(value)]

/** `07:30` for any way to type it; other text stays, for its error. */
function clock(text: string): string {
  const time = readTime(text)
  return time ? clockText(time.hour, time.minute) : text
}

/** `From 22:00 to 06:00 on the next day, in the server's time zone (America/Denver)`; undefined if a time is invalid. */
function quietHoursText({ quietFrom, quietTo }: PaceFields): string | undefined {
  if (!readTime(quietFrom) || !readTime(quietTo)) return undefined
  const [from, to] = [clock(quietFrom), clock(quietTo)]
  return `From ${from} to ${to}${to < from ? ' on the next day' : ''}, in the server's time zone (${timeZone})`
}

/** Pace of a folder or a share. */
export const paceOfLookups = paceForm({
  lookups: 'lookups',
  usual: usualLookups,
  help: 'Lookups that a scan waits for at once. A scan uses fewer if more are not faster. Lower it if a scan slows down the server for others.',
})

/** Pace of a bucket, a cluster or an archive. */
export const paceOfRequests = paceForm({
  lookups: 'requests',
  usual: usualRequests,
  help: 'Requests that a scan waits for at once. A scan uses fewer if more are not faster. Lower it if the service refuses or delays requests of others.',
})
