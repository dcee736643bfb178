import { z } from 'zod'
import { crud, endpoint } from './contract/endpoint.ts'
import { jobTypes } from './jobs/types.ts'

/** When a user is told that a job ended, with the words that users read. */
export const notificationStatuses = {
  ALWAYS: 'Always',
  ON_ERROR: 'On error',
  ON_SUCCESS: 'On success',
  ON_WARNING: 'On warning',
} as const
export type NotificationStatus = keyof typeof notificationStatuses

const webhookRule = 'must be an http or https address without a user name in it'

export const JobNotificationDraft = z.object({
  /** Forms begin with the first type that can be notified of. */
  type: z.enum(jobTypes),
  status: z.enum(Object.keys(notificationStatuses) as [NotificationStatus, ...NotificationStatus[]]).default('ALWAYS'),
  /** Whether a mail goes to the user's address. */
  email: z.boolean().default(true),
  /** An address that receives the job as JSON by POST; null for none. Without a mail there has to be one. */
  webhook: z
    .url({ protocol: /^https?$/, error: webhookRule })
    .max(2_048)
    .refine((address) => !/@|\p{Cc}/u.test(address.split('/', 3).join('/')), webhookRule)
    .nullable()
    .default(null),
})
export type JobNotificationDraft = z.infer<typeof JobNotificationDraft>

/** What came of the last try to tell. */
const LastDelivery = z.object({
  at: z.iso.datetime(),
  state: z.enum(['sent', 'waiting', 'failed']),
  reason: z.string().nullable(),
})

export const JobNotification = JobNotificationDraft.extend({
  id: z.int(),
  lastDelivery: LastDelivery.nullable(),
  /** Its webhook was sealed with another key than the server has now: it is not told there until it is entered again. */
  isWebhookLost: z.boolean(),
})
export type JobNotification = z.infer<typeof JobNotification>

/** Each user's own. */
export const notifications = crud('/v1/notifications', {
  entity: JobNotification,
  draft: JobNotificationDraft,
  one: 'the job notification',
  many: 'the job notifications',
  needs: 'snapshots.see',
})

/** The address that mails to the caller go to. */
export const changeOwnEmail = endpoint({
  method: 'PUT',
  path: '/currentUserInfo',
  needs: 'snapshots.see',
  failure: 'Unable to change the address',
  body: z.object({ email: z.email('must be a well-formed email address').max(255).nullable() }),
})

/** Sends a mail to the caller's own address at once; the message of a 409 is the reason why it could not be sent. */
export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/v1/emails/tests',
  needs: 'settings.edit',
  failure: 'Unable to test the email configurations',
})
