import { Button, Textarea } from '@mantine/core'
import { useSnapshot } from 'valtio'
import type { Input } from '#events/contract/endpoint.ts'
import {
  ChannelDraft,
  type ChannelKind,
  channelKinds,
  channels,
  type NotificationChannel,
  type TestedDelivery,
} from '#events/notifications/channels.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { call } from '#client/app/call.ts'
import { typedAddresses } from '#client/app/form.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import type { DrawnProps, InDialog, InputProps, Option } from '#client/parts/settings-table/form.ts'
import { SigningSecret } from '#client/parts/webhook/WebhookFields.tsx'

const { EMAIL, SLACK, TEAMS, ...otherKinds } = channelKinds
const kinds: Option[] = Object.entries({ SLACK, TEAMS, EMAIL, ...otherKinds }).map(([value, label]) => ({
  value,
  label,
}))

type Kind = { kind: ChannelKind }
type Destination = Kind & { addresses: string; webhook: string; webhookTemplate: string }
type ChannelFields = Destination & { name: string; testedAs: string }

/** The part of a form that decides where messages go. */
const recipientsOf = ({ kind, addresses, webhook, webhookTemplate }: Destination): string =>
  JSON.stringify([kind, addresses, webhook, webhookTemplate])

const isEmail = ({ kind }: Kind) => kind === 'EMAIL'
const isWebhook = (fields: Kind) => !isEmail(fields)

/** Form of a channel. Without a name, it is called like its kind. */
const channelForm = describeForm<NotificationChannel, ChannelDraft>()({
  schema: ChannelDraft,
  fields: {
    kind: { label: 'Service', kind: 'select', options: kinds, initial: 'SLACK' as ChannelKind },
    name: {
      label: 'Name',
      placeholder: ({ kind }) => channelKinds[kind],
      initial: '',
      write: (name, { kind }) => name.trim() || channelKinds[kind],
    },
    addresses: {
      label: 'Email addresses',
      errorLabel: 'Email addresses',
      description: 'One address per line.',
      kind: 'own',
      Input: AddressesInput,
      isShown: isEmail,
      initial: '',
      read: ({ addresses }) => addresses.join('\n'),
      write: typedAddresses,
    },
    webhook: {
      label: 'Webhook URL',
      description: 'The service shows it when you add an incoming webhook. Only its host is shown here later.',
      placeholder: 'https://',
      type: 'url',
      isShown: isWebhook,
      initial: '',
      read: ({ webhook }) => webhook ?? '',
      write: (webhook) => webhook.trim() || null,
    },
    webhookTemplate: {
      label: 'Template',
      description: 'Body of the request. {{subject}}, {{text}} and {{data}} are replaced; data is all of it as JSON.',
      placeholder: '{"title": "{{subject}}", "message": "{{text}}"}',
      isShown: ({ kind }) => kind === 'TEMPLATE',
      initial: '',
      read: ({ webhookTemplate }) => webhookTemplate ?? '',
      write: (template) => template.trim() || null,
    },
    // Recipients that accepted a test message.
    testedAs: {
      kind: 'drawn',
      draw: () => null,
      label: 'Tested',
      initial: '',
      to: 'isTested',
      read: () => '',
      write: (testedAs, fields) => testedAs === recipientsOf(fields),
    },
  },
  labels: () => ({ 'addresses.*': 'Each address' }),
  extra: ({ kind, webhook }) =>
    (kind === 'JSON' || kind === 'TEMPLATE') &&
    URL.canParse(webhook.trim()) && <SigningSecret key={webhook} webhook={webhook.trim()} busy={false} />,
  saved: ({ name, kind }, edited) =>
    `Channel ${name.trim() || channelKinds[kind]} was ${edited === 'new' ? 'created' : 'updated'}`,
})

/** Dialog of a channel, with its test next to Save. */
export const channelDialog = {
  form: channelForm,
  calls: callsOf(channels),
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add channel' : `Edit ${edited.name}`),
    saves: () => 'Save channel',
    beside: (state) => <TestChannel {...(state as unknown as TestProps)} />,
  } satisfies InDialog<NotificationChannel>,
}

/** Other addresses than the user's own are for administrators. */
function AddressesInput({ onChange, ...input }: InputProps<string>) {
  const user = useSnapshot(session).user as CurrentUser | undefined
  if (!userMay(user, 'settings.edit') && input.value === '')
    return (
      <p className="muted">
        Only administrators send to other addresses. Alerts can go to your own address without a channel.
      </p>
    )
  return <Textarea {...input} autosize minRows={2} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}

type TestProps = Omit<DrawnProps<ChannelFields, NotificationChannel>, 'isFirst'>

function TestChannel({ form, busy, edited }: TestProps) {
  const [isTesting, test] = useBusy(async () => {
    const { isTested: _, ...draft } = channelForm.toDraft(form.values, edited)
    const body: Input<typeof channels.test>['body'] = { ...draft, ...(edited !== 'new' && { id: edited.id }) }
    if (showTested(await call(channels.test, { body }))) form.setFieldValue('testedAs', recipientsOf(form.values))
  })
  const isEntered = isEmail(form.values) ? form.values.addresses.trim() !== '' : form.values.webhook.trim() !== ''
  return (
    <Button variant="default" onClick={test} loading={isTesting} disabled={busy || !isEntered}>
      Send test
    </Button>
  )
}

/** Shows the results of test messages in one message, with the name of the tested alert. Returns whether all were accepted. */
export function showTested(results: readonly TestedDelivery[], name?: string): boolean {
  const failed = results.filter(({ error }) => error !== null)
  if (failed.length > 0)
    toastFailure(
      `Test ${name === undefined ? '' : `of ${name} `}failed. ${failed.map(({ to, error }) => `${to}: ${error}`).join('. ')}`,
    )
  else toast({ kind: 'success', message: `Test sent to ${results.map(({ to }) => to).join(', ')}` })
  return failed.length === 0
}
