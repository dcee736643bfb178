import { z } from 'zod'
import { IdNumber } from '#events/contract/endpoint.ts'
import { channelIds } from '#events/notifications/channels.ts'
import { hasTemplate, hasTemplateRule, receivers } from '#events/notifications/webhooks.ts'

/** Hours between two emails of an alert about the same state, if it has no setting: less than a day, so daily alerts repeat. */
export const defaultRepeatHours = 12

/** Part of the threshold below which an object is clear again, if the alert has no clearing threshold. */
const defaultClearShare = 0.95

/** Percent below which an object counts as clear again. Between the two thresholds its state doesn't change. */
export const clearThresholdOf = ({
  threshold,
  clearThreshold,
}: {
  threshold: number
  clearThreshold?: number | undefined
}): number => clearThreshold ?? Math.round(threshold * defaultClearShare * 10) / 10

const repeatHours = 'Hours must be a whole number between 0 and 8760'
const watched = {
  /** Owner of the alert; the server fills in the caller. */
  userId: IdNumber.optional(),
  /** Storages, projects or reports; ignored if the alert watches all of them. */
  resourceIds: z.array(z.int().min(1)).max(10_000),
  /** True to watch all storages, projects or reports, also those that are added later. */
  all: z.boolean().optional(),
  /** Minimum hours between two messages about the same state; 0 sends one at every due time. */
  repeatHours: z.int(repeatHours).min(0, repeatHours).max(8_760, repeatHours).optional(),
}
const watchesAny = (payload: unknown): boolean => {
  const { resourceIds, all } = (payload ?? {}) as { resourceIds?: unknown; all?: unknown }
  return all === true || !Array.isArray(resourceIds) || resourceIds.length > 0
}
/** Also checked if other fields are wrong, so that a form shows all errors at once. */
const watchesAnyRule = { path: ['resourceIds'], error: 'You must select at least 1 resource', when: () => true }

/** Alerts without a limit of their own. */
export const WatchPayload = z.object(watched).refine(watchesAny, watchesAnyRule)

/** Percent of the capacity or of the allocated size, or of growth. */
const threshold = z
  .number()
  .min(0, 'Threshold must be between 0 and 100')
  .max(100, 'Threshold must be between 0 and 100')
const days = 'Days must be a whole number between 1 and 365'
const Days = z.int(days).min(1, days).max(365, days)

/** Alerts of storages and projects. */
export const SpacePayload = z
  .object({
    ...watched,
    threshold,
    /** Percent below which an object counts as clear again; by default a little below the threshold. */
    clearThreshold: threshold.optional(),
    /** The threshold applies to the growth within this number of days; without it, to the capacity or allocated size. */
    growthDays: Days.optional(),
    /** Growth in bytes that replaces the threshold in percent. */
    growthBytes: z
      .int('must be a whole number')
      .min(1, 'must be at least 1 byte')
      .max(2 ** 53 - 1)
      .optional(),
  })
  .refine(watchesAny, watchesAnyRule)
  .refine(({ threshold, clearThreshold }) => clearThreshold === undefined || clearThreshold <= threshold, {
    path: ['clearThreshold'],
    error: 'Must not be above the threshold',
  })
  .refine(({ growthDays, growthBytes }) => growthBytes === undefined || growthDays !== undefined, {
    path: ['growthDays'],
    error: 'is required for growth in bytes',
  })

/** Alerts of storages that were not scanned for a number of days. */
export const OverduePayload = z.object({ ...watched, days: Days }).refine(watchesAny, watchesAnyRule)

/** Files that change within five minutes until an alert of mass changes fires, unless it says otherwise. */
export const defaultMassFiles = 1_000

const massFiles = 'Files must be a whole number between 100 and 1000000'
/** Alerts of many files that are deleted, get another extension or are rewritten within five minutes. */
export const MassChangePayload = z
  .object({ ...watched, files: z.int(massFiles).min(100, massFiles).max(1_000_000, massFiles) })
  .refine(watchesAny, watchesAnyRule)

/**
 * Recipients of an alert: the user, channels, and for scripts also addresses and a webhook of its own. Other addresses than the user's own
 * are for administrators.
 */
export const AlertDelivery = z
  .object({
    /** True to send an email to the user's address. */
    email: z.boolean().default(true),
    channelIds,
    ...receivers,
  })
  .refine(hasTemplate, hasTemplateRule)
  .refine(
    ({ email, channelIds, addresses, webhook }) =>
      email || channelIds.length + addresses.length > 0 || webhook !== null,
    {
      path: ['email'],
      error: 'Select at least one recipient',
    },
  )
export type AlertDelivery = z.infer<typeof AlertDelivery>

/** Delivery of an alert without settings. */
export const ownEmail: AlertDelivery = AlertDelivery.parse({})

/** State of a message: `waiting` will be retried, `failed` not. */
export const DeliveryState = z.object({ state: z.enum(['sent', 'waiting', 'failed']), reason: z.string().nullable() })
export type DeliveryState = z.infer<typeof DeliveryState>

export const alertStates = ['ok', 'firing', 'unknown'] as const
export type AlertState = (typeof alertStates)[number]

/** Last evaluation of an alert, at a due time or after a scan, and the last messages it sent. */
export const AlertStatus = z.object({
  /** `unknown`: could not be evaluated. Null before the first evaluation. */
  state: z.enum(alertStates).nullable(),
  evaluatedAt: z.iso.datetime().nullable(),
  /** Start of the oldest state that it fires about. Null while it isn't firing. */
  firingSince: z.iso.datetime().nullable().optional(),
  /** Objects that are firing or could not be evaluated. */
  reason: z.string().nullable(),
  lastSent: z
    .object({
      at: z.iso.datetime(),
      reason: z.string().nullable(),
      /** By recipient. Empty after 30 days. */
      deliveries: z.array(DeliveryState.extend({ to: z.string() })),
    })
    .nullable(),
  /** True if the webhook was sealed with another server key. It is not used until the URL is entered again. */
  isWebhookLost: z.boolean(),
  /** True if its user was deleted. It is paused until an administrator changes it, who becomes its user. */
  isOwnerDeleted: z.boolean(),
})
export type AlertStatus = z.infer<typeof AlertStatus>
