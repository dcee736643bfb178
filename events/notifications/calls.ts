import { z } from 'zod'
import { crud, endpoint } from '#events/contract/endpoint.ts'
import { EmailAddress } from '#events/contract/names.ts'
import { type JobType, jobTypes } from '#events/jobs/types.ts'
import { channelIds } from './channels.ts'
import { hasTemplate, hasTemplateRule, WebhookUrl, webhookBody } from './webhooks.ts'

/** Job statuses that users can be notified of, with their labels. */
export const notificationStatuses = {
  ALWAYS: 'Always',
  ON_ERROR: 'On error',
  ON_SUCCESS: 'On success',
  ON_WARNING: 'On warning',
} as const
export type NotificationStatus = keyof typeof notificationStatuses

const notificationFields = z.object({
  /** The first notifiable type is the default. */
  type: z.preprocess((type) => type ?? jobTypes[0], z.enum(jobTypes)) as z.ZodType<JobType, JobType>,
  status: z.enum(Object.keys(notificationStatuses) as [NotificationStatus, ...NotificationStatus[]]).default('ALWAYS'),
  /** True to send an email to the user's address. */
  email: z.boolean().default(true),
  channelIds,
  /** URL that receives the job by POST; null for none. A recipient is required. */
  webhook: WebhookUrl.nullable().default(null),
  ...webhookBody,
})
export const JobNotificationDraft = notificationFields.refine(hasTemplate, hasTemplateRule)
export type JobNotificationDraft = z.infer<typeof JobNotificationDraft>

/** Result of the last delivery attempt. */
const LastDelivery = z.object({
  at: z.iso.datetime(),
  state: z.enum(['sent', 'waiting', 'failed']),
  reason: z.string().nullable(),
})

export const JobNotification = notificationFields.extend({
  id: z.int(),
  lastDelivery: LastDelivery.nullable(),
  /** True if the webhook was sealed with another server key. It is not used until the URL is entered again. */
  isWebhookLost: z.boolean(),
})
export type JobNotification = z.infer<typeof JobNotification>

/** Each user has their own notifications. */
export const notifications = crud('/v1/notifications', {
  entity: JobNotification,
  draft: JobNotificationDraft,
  one: 'the job notification',
  many: 'the job notifications',
  needs: 'snapshots.see',
  limitedBy: 'own',
})

/** Changes the email address of the caller. */
export const changeOwnEmail = endpoint({
  method: 'PUT',
  path: '/currentUserInfo',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to change the address',
  body: z.object({ email: EmailAddress.nullable() }),
})

/**
 * Sends an email to the caller's own address immediately. The message of a 409 is the reason why it could not be sent.
 */
export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/v1/emails/tests',
  needs: 'settings.edit',
  failure: 'Unable to test the email configurations',
})
