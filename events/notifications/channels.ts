import { z } from 'zod'
import { crud, endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { EmailAddresses, nameText } from '#events/contract/names.ts'
import { WebhookUrl, webhookBody, webhookFormats } from './webhooks.ts'

/** Kinds of channels, with their labels: emails, and the formats of webhooks. */
export const channelKinds = { EMAIL: 'Email', ...webhookFormats, AUTO: 'Webhook, format by address' } as const
export type ChannelKind = keyof typeof channelKinds

/** Channels of a rule, by their IDs. Those of other users and deleted ones receive nothing. */
export const channelIds = z.array(z.int().min(1)).max(50).default([])

const fields = z.object({
  name: nameText({ max: 100 }),
  kind: z.enum(Object.keys(channelKinds) as [ChannelKind, ...ChannelKind[]]),
  /** Recipients of emails. Other addresses than the user's own are for administrators. */
  addresses: EmailAddresses.default([]),
  /** URL that receives a POST. A hidden one, as it was listed, keeps the stored one. */
  webhook: WebhookUrl.nullable().default(null),
  webhookTemplate: webhookBody.webhookTemplate,
})

/** True after a test message was accepted by these recipients. */
const isTested = z.boolean().default(false)

const hasRecipient = ({ kind, addresses }: Channel) => kind !== 'EMAIL' || addresses.length > 0
const hasAddress = ({ kind, webhook }: Channel) => kind === 'EMAIL' || webhook !== null
const hasTemplate = ({ kind, webhookTemplate }: Channel) => kind !== 'TEMPLATE' || webhookTemplate !== null
type Channel = z.infer<typeof fields>

const complete = <S extends z.ZodType<Channel>>(schema: S) =>
  schema
    .refine(hasRecipient, { path: ['addresses'], error: 'is required' })
    .refine(hasAddress, { path: ['webhook'], error: 'is required' })
    .refine(hasTemplate, { path: ['webhookTemplate'], error: 'is required' })

export const ChannelDraft = complete(fields.extend({ isTested }))
export type ChannelDraft = z.infer<typeof ChannelDraft>

/** A place that receives messages of alerts and job notifications. Only the host of its webhook is shown. */
export const NotificationChannel = fields.extend({
  id: z.int(),
  testedAt: z.iso.datetime().nullable(),
  /** True if the webhook was sealed with another server key. Nothing is sent until the URL is entered again. */
  isWebhookLost: z.boolean(),
})
export type NotificationChannel = z.infer<typeof NotificationChannel>

/** Result of a test message. `error` is the reason why it was not accepted. */
export const TestedDelivery = z.object({ to: z.string(), error: z.string().nullable() })
export type TestedDelivery = z.infer<typeof TestedDelivery>

const needs = 'snapshots.see'
const table = crud('/v1/channels', {
  entity: NotificationChannel,
  draft: ChannelDraft,
  one: 'the channel',
  many: 'the channels',
  needs,
  limitedBy: 'own',
})

/** Each user has their own channels. */
export const channels = {
  ...table,
  /** Sends a test message immediately, with the result for each recipient. `id` is the channel whose stored URL is used if it is hidden. */
  test: endpoint({
    method: 'POST',
    path: '/v1/channels/tests',
    needs,
    limitedBy: 'own',
    failure: 'Unable to test the channel',
    body: complete(fields.extend({ id: IdNumber.optional() })),
    answer: z.array(TestedDelivery),
  }),
}

/** Returns whether a mail server is set up, without which no email is sent. */
export const mailState = endpoint({
  method: 'GET',
  path: '/v1/emails/state',
  needs,
  limitedBy: { nothing: 'whether a mail server is set up' },
  failure: 'Unable to check the mail server',
  answer: z.object({ isSetUp: z.boolean() }),
})
