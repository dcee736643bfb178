import type { ReactNode } from 'react'
import type { WebhookFormat } from '#events/notifications/webhooks.ts'
import { drawnBefore, type DrawnProps } from '#client/parts/settings-table/form.ts'

/** Fields of a webhook in a form; the template counts only for its format. */
export type WebhookValues = { webhook: string; webhookFormat: WebhookFormat; webhookTemplate: string }

/** The fields as a draft. */
export const webhookDraft = ({ webhook, webhookFormat, webhookTemplate }: WebhookValues) => ({
  webhook: webhook.trim() || null,
  webhookFormat,
  webhookTemplate: webhookFormat === 'TEMPLATE' && webhookTemplate.trim() !== '' ? webhookTemplate : null,
})

/**
 * Fields of a webhook in a form. `prefix` leads to their properties in the draft, `storedOf` returns those of a row, and
 * the first field draws them all.
 */
export const webhookFields = <T, P extends '' | 'delivery.'>(
  prefix: P,
  storedOf: (row: T) => ReturnType<typeof webhookDraft> | null | undefined,
  draw: (props: DrawnProps<WebhookValues, T>) => ReactNode = drawnBefore.draw,
) => {
  const field = <K extends keyof WebhookValues>(name: K, label: string, initial: WebhookValues[K]) => ({
    ...drawnBefore,
    label,
    initial,
    to: `${prefix}${name}` as const,
    read: (row: T) => (storedOf(row)?.[name] ?? initial) as WebhookValues[K],
    write: (_: unknown, fields: WebhookValues) => webhookDraft(fields)[name],
  })
  return {
    webhook: { ...field('webhook', 'Webhook', ''), draw },
    webhookFormat: field('webhookFormat', 'Webhook format', 'AUTO'),
    webhookTemplate: field('webhookTemplate', 'Webhook template', ''),
  }
}

/** The reason to enter a webhook again, if there is one. */
export function webhookProblem({ isWebhookLost = false, isWebhookUserDeleted = false }): string | undefined {
  if (isWebhookUserDeleted) return 'The user of this webhook was deleted. Enter the webhook again.'
  return isWebhookLost ? 'The webhook can no longer be decrypted. Enter it again.' : undefined
}
