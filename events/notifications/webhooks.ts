import { z } from 'zod'
import { EmailAddresses } from '#events/contract/names.ts'
import { endpoint } from '#events/contract/endpoint.ts'

/** Body formats of webhooks, with their labels. AUTO chooses by the host of the address, JSON if it is unknown. */
export const webhookFormats = {
  AUTO: 'By address',
  JSON: 'JSON with all data',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
  DISCORD: 'Discord',
  NTFY: 'ntfy',
  TEMPLATE: 'Template',
} as const
export type WebhookFormat = keyof typeof webhookFormats
/** A format whose body is known. */
export type BodyFormat = Exclude<WebhookFormat, 'AUTO'>

const hosts: [BodyFormat, RegExp][] = [
  ['SLACK', /^hooks\.slack(-gov)?\.com$/],
  ['DISCORD', /^(\w+\.)?discord(app)?\.com$/],
  ['TEAMS', /(^|\.)(webhook\.office(365)?\.com|logic\.azure\.(com|us)|api\.powerplatform\.com)$/],
  ['NTFY', /^ntfy\./],
]

/** The format of a body for an address. */
export function formatFor(format: WebhookFormat, address: string): BodyFormat {
  if (format !== 'AUTO') return format
  const host = URL.parse(address)?.hostname ?? ''
  return hosts.find(([, known]) => known.test(host))?.[0] ?? 'JSON'
}

/** Placeholders of templates: `data` is all data as JSON. */
export const placeholders = ['subject', 'text', 'data'] as const
type Placeholder = (typeof placeholders)[number]
const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** Replaces the placeholders of a template. */
export const fillTemplate = (template: string, value: (name: Placeholder) => string): string =>
  template.replace(placeholder, (_, name: Placeholder) => value(name))

function templateProblem(template: string): string | undefined {
  const names = [...template.matchAll(placeholder)].map(([, name]) => name ?? '')
  const unknown = names.find((name) => !placeholders.some((known) => known === name))
  if (unknown !== undefined) return `has an unknown placeholder {{${unknown}}}; known are ${placeholders.join(', ')}`
  return names.length === 0 ? 'must have a placeholder, such as {{text}}' : undefined
}

const webhookRule = 'must be an http or https address without a user name in it'

/** URL that receives a POST; null for none. */
export const WebhookUrl = z
  .url({ protocol: /^https?$/, error: webhookRule })
  .max(2_048)
  .refine((address) => !/@|\p{Cc}/u.test(address.split('/', 3).join('/')), webhookRule)

const hiddenPath = '/••••••••'

/** An address for users who may not read it: the host alone. Sent back unchanged, it keeps the stored address. */
export const hiddenWebhook = (address: string): string => new URL(address).origin + hiddenPath

export const isHiddenWebhook = (address: string): boolean => address.endsWith(hiddenPath)
export const hiddenWebhookRule = 'is hidden. Enter the whole address.'

/** Format of a webhook's body, and the template for TEMPLATE. */
export const webhookBody = {
  webhookFormat: z.enum(Object.keys(webhookFormats) as [WebhookFormat, ...WebhookFormat[]]).default('AUTO'),
  webhookTemplate: z
    .string()
    .max(4_000, 'must be at most 4000 characters')
    .superRefine((template, { addIssue }) => {
      const message = templateProblem(template)
      if (message) addIssue({ code: 'custom', message })
    })
    .nullable()
    .default(null),
}

type Body = { webhookFormat: WebhookFormat; webhookTemplate: string | null }

/** Receivers of an email, and a URL that receives the same by POST. */
export const receivers = {
  addresses: EmailAddresses.default([]),
  webhook: WebhookUrl.nullable().default(null),
  ...webhookBody,
}

/** Rule: the format TEMPLATE has a template. */
export const hasTemplate = ({ webhookFormat, webhookTemplate }: Body): boolean =>
  webhookFormat !== 'TEMPLATE' || webhookTemplate !== null
export const hasTemplateRule = { path: ['webhookTemplate'], error: 'is required' }

const EnteredUrl = WebhookUrl.refine((address) => !isHiddenWebhook(address), hiddenWebhookRule)
const WebhookTest = z.object({ webhook: EnteredUrl, ...webhookBody }).refine(hasTemplate, hasTemplateRule)
export type WebhookTest = z.infer<typeof WebhookTest>

/**
 * Posts an example to a webhook immediately, with the caller's permissions. The message of a 409 is the reason why it
 * was not accepted, with the receiver's message.
 */
export const testWebhook = endpoint({
  method: 'POST',
  path: '/v1/webhooks/tests',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to test the webhook',
  body: WebhookTest,
})

/** Returns the secret with which a receiver verifies the signatures of webhooks to its address, as Standard Webhooks defines them. */
export const signingSecret = endpoint({
  method: 'POST',
  path: '/v1/webhooks/secrets',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to show the signing secret',
  body: z.object({ webhook: EnteredUrl }),
  confirm: true,
  answer: z.object({ secret: z.string() }),
})
