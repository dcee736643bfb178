import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatFor, signingSecret, testWebhook, webhookFormats } from '#events/notifications/webhooks.ts'
import { call } from '#client/app/call.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { type WebhookValues, webhookDraft } from './webhookValues.ts'
import classes from './WebhookFields.module.css'

type WebhookFieldsProps = {
  form: {
    values: WebhookValues
    getInputProps: (path: keyof WebhookValues) => ReturnType<FormState<WebhookValues>['getInputProps']>
  }
  description: string
  busy: boolean
  error?: ReactNode
}

const formats = Object.entries(webhookFormats).map(([value, label]) => ({ value, label }))

/** URL, format and template of a webhook, with a test of the entered values. */
export function WebhookFields({ form, description, busy, error }: WebhookFieldsProps) {
  const { webhook, webhookFormat } = form.values
  const url = form.getInputProps('webhook')
  const chosen = formatFor(webhookFormat, webhook.trim())
  return (
    <>
      <TextInput
        label="Webhook"
        description={description}
        placeholder="https://"
        type="url"
        autoComplete="off"
        disabled={busy}
        {...url}
        error={url.error ?? error}
      />
      {webhook.trim() !== '' && (
        <>
          <div className={classes.format}>
            <NativeSelect
              label="Format"
              description={webhookFormat === 'AUTO' ? `This address gets ${webhookFormats[chosen]}.` : undefined}
              data={formats}
              disabled={busy}
              {...form.getInputProps('webhookFormat')}
            />
            <TestButton values={form.values} busy={busy} />
          </div>
          {webhookFormat === 'TEMPLATE' && (
            <Textarea
              label="Template"
              description="Body of the request. {{subject}}, {{text}} and {{data}} are replaced; data is all of it as JSON."
              placeholder={'{"title": "{{subject}}", "message": "{{text}}"}'}
              autosize
              minRows={3}
              disabled={busy}
              {...form.getInputProps('webhookTemplate')}
            />
          )}
          {['JSON', 'TEMPLATE'].includes(chosen) && (
            <SigningSecret key={webhook} webhook={webhook.trim()} busy={busy} />
          )}
        </>
      )}
    </>
  )
}

/** The secret for a receiver that verifies signatures. Chat services don't. */
export function SigningSecret({ webhook, busy }: { webhook: string; busy: boolean }) {
  const [secret, setSecret] = useState<string>()
  const [isLoading, show] = useBusy(async () => {
    try {
      setSecret((await call(signingSecret, { body: { webhook } })).secret)
    } catch (error) {
      toastFailure(`Unable to show the signing secret: ${(error as Error).message}`)
    }
  })
  if (secret !== undefined) return <CopyableText label="Signing secret" text={secret} />
  return (
    <Button variant="default" onClick={show} loading={isLoading} disabled={busy}>
      Show signing secret
    </Button>
  )
}

function TestButton({ values, busy }: { values: WebhookValues; busy: boolean }) {
  const [isTesting, test] = useBusy(async () => {
    const { webhook, ...draft } = webhookDraft(values)
    try {
      await call(testWebhook, { body: { ...draft, webhook: webhook ?? '' } })
      toast({ kind: 'success', message: 'The webhook accepted the test message.' })
    } catch (error) {
      toastFailure(`The webhook did not accept the test message: ${(error as Error).message}`)
    }
  })
  return (
    <Button variant="default" onClick={test} loading={isTesting} disabled={busy}>
      Send test message
    </Button>
  )
}
