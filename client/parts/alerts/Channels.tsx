import { IconCircleCheck, IconCircleDashed, IconSend } from '@tabler/icons-react'
import { channelKinds, type ChannelDraft, channels, type NotificationChannel } from '#events/notifications/channels.ts'
import { call } from '#client/app/call.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { rowsOf } from '#client/parts/settings-table/calls.ts'
import type { RowButtons, SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { SendTestAction } from '#client/ui/table/RowActions.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { StatusBadge } from '#client/ui/values/StatusBadge.tsx'
import { channelDialog, showTested } from './channelForm.tsx'

/** Channels of the user: where alerts and job notifications are sent. */
export function Channels() {
  const [busy, test] = useBusy(sendTest)
  return (
    <SettingsSection
      title="Channels"
      table={{
        ...channelsTable,
        actions: (channel, buttons) => actionsOf(channel, buttons, { busy, test }),
      }}
    />
  )
}

type TestState = { busy: boolean; test: (channel: NotificationChannel, onDone: () => void) => void }

const actionsOf = (channel: NotificationChannel, { edit, remove, onDone }: RowButtons, { busy, test }: TestState) => (
  <>
    <SendTestAction
      label={`Send test to ${channel.name}`}
      whyNot={busy ? 'Sending …' : channel.isWebhookLost && 'Enter the webhook again first'}
      onClick={() => test(channel, onDone)}
    />
    {edit}
    {remove}
  </>
)

const channelsTable: SettingsTable<NotificationChannel, ChannelDraft> = {
  ...channelDialog,
  label: 'Channels',
  isQuiet: true,
  rows: { ...rowsOf(channels.list, 'channels'), query: () => ({ size: 1_000 }) },
  columns: [
    { key: 'name', title: 'Name', grows: true, cell: ({ name }) => <span className="strong">{name}</span> },
    { key: 'kind', title: 'Service', cell: ({ kind }) => channelKinds[kind] },
    {
      key: 'to',
      title: 'Sends to',
      wideOnly: true,
      cell: ({ addresses, webhook, isWebhookLost }) =>
        isWebhookLost ? 'Encrypted with a different server key. Enter it again.' : (webhook ?? addresses.join(', ')),
    },
    {
      key: 'tested',
      title: 'Tested',
      cell: ({ testedAt }) =>
        testedAt === null ? (
          <StatusBadge icon={IconCircleDashed} tone="quiet">
            Not yet
          </StatusBadge>
        ) : (
          <StatusBadge icon={IconCircleCheck} tone="good">
            <Moment at={testedAt} />
          </StatusBadge>
        ),
    },
  ],
  empty: {
    icon: IconSend,
    text: 'No channels yet. Set up Slack, Microsoft Teams, a webhook or email addresses once, and select them in your alerts.',
  },
  adding: { label: 'Add channel' },
  editing: { label: ({ name }) => `Edit ${name}` },
  deletion: {
    label: ({ name }) => `Delete ${name}`,
    verb: 'Delete channel',
    question: ({ name }) => `Alerts and job notifications no longer send to ${name}. They stay.`,
    deleted: ({ name }) => `Channel ${name} was deleted`,
    staysOnFailure: true,
  },
}

/** A channel that accepts the message counts as tested. */
async function sendTest({ id, isWebhookLost: _, testedAt: __, ...channel }: NotificationChannel, onDone: () => void) {
  const isAccepted = showTested(await call(channels.test, { body: { ...channel, id } }))
  if (!isAccepted) return
  await call(channels.update, { params: { id }, body: { ...channel, isTested: true } })
  onDone()
}
