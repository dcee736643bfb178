import type { WebhookFormat } from '#events/notifications/webhooks.ts'

/** Fields of a webhook in a form; the template counts only for its format. */
export type WebhookValues = { webhook: string; webhookFormat: WebhookFormat; webhookTemplate: string }

export const noWebhook: WebhookValues = { webhook: '', webhookFormat: 'AUTO', webhookTemplate: '' }

/** The fields as a draft. */
export const webhookDraft = ({ webhook, webhookFormat, webhookTemplate }: WebhookValues) => ({
  webhook: webhook.trim() || null,
  webhookFormat,
  webhookTemplate: webhookFormat === 'TEMPLATE' && webhookTemplate.trim() !== '' ? webhookTemplate : null,
})

/** The fields of a stored webhook. */
export const webhookValues = ({
  webhook,
  webhookFormat,
  webhookTemplate,
}: ReturnType<typeof webhookDraft>): WebhookValues => ({
  webhook: webhook ?? '',
  webhookFormat,
  webhookTemplate: webhookTemplate ?? '',
})

/** The reason to enter a webhook again, if there is one. */
export function webhookProblem({ isWebhookLost = false, isWebhookUserDeleted = false }): string | undefined {
  if (isWebhookUserDeleted) return 'The user of this webhook was deleted. Enter the webhook again.'
  return isWebhookLost ? 'The webhook can no longer be decrypted. Enter it again.' : undefined
}
