import { NativeSelect } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { channels } from '#events/notifications/channels.ts'
import { jobs } from '#events/jobs/calls.ts'
import { type JobType, jobTypeLabels } from '#events/jobs/types.ts'
import {
  type JobNotification,
  JobNotificationDraft,
  notificationStatuses,
  notifications,
} from '#events/notifications/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { choicesOf, type InputProps } from '#client/parts/settings-table/form.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { ChannelsInput, type Recipients } from './ChannelsInput.tsx'
import { notificationColumns } from './notificationColumns.tsx'

/** Messages that the user receives when jobs end. */
export function JobNotifications() {
  const { data } = useRemote(channels.list, { query: { size: 1_000 } }, 'channels')
  return (
    <SettingsSection
      title="Job notifications"
      table={{ ...notificationsTable, columns: notificationColumns(data?.elements) }}
    />
  )
}

const nameOf = ({ type }: JobNotification) => `job notification for ${jobTypeLabels[type]}`

const notificationsTable: Omit<SettingsTable<JobNotification, JobNotificationDraft>, 'columns'> = {
  label: 'Job notifications',
  rows: { ...rowsOf(notifications.list, 'notifications'), query: () => ({ size: 1_000 }) },
  isQuiet: true,
  empty: {
    icon: IconMailPlus,
    text: 'No job notifications yet. Get an email or webhook call when a job ends.',
  },
  calls: callsOf(notifications),
  adding: { label: 'Add job notification' },
  editing: { label: (notification) => `Edit ${nameOf(notification)}` },
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add job notification' : 'Edit job notification'),
    saves: () => 'Save job notification',
  },
  form: describeForm<JobNotification, JobNotificationDraft>()({
    schema: JobNotificationDraft,
    fields: {
      type: { label: 'Type', kind: 'own', Input: TypeSelect, initial: 'SCAN_ON_PREMISES' as JobType },
      status: {
        label: 'Status',
        kind: 'select',
        options: choicesOf(notificationStatuses),
        initial: 'ALWAYS' as JobNotification['status'],
      },
      recipients: {
        label: 'Recipients',
        kind: 'own',
        Input: ChannelsInput,
        initial: { email: true, channelIds: [] } as Recipients,
        to: ['channelIds', 'email', 'webhook'],
        read: ({ email, channelIds }) => ({ email, channelIds }),
        write: ({ channelIds }) => channelIds,
      },
    },
    // Scripts can give a notification a webhook of its own. It stays.
    draft: ({ recipients: { email } }, edited) => ({
      email,
      ...(edited !== 'new' && {
        webhook: edited.webhook,
        webhookFormat: edited.webhookFormat,
        webhookTemplate: edited.webhookTemplate,
      }),
    }),
    saved: (_, edited) => `The job notification has been ${edited === 'new' ? 'created' : 'updated'}`,
  }),
  deletion: {
    label: (notification) => `Delete ${nameOf(notification)}`,
    title: () => 'Delete Confirmation',
    verb: 'Delete job notification',
    question: (notification) => `Are you sure you want to delete the ${nameOf(notification)}?`,
    deleted: () => 'The job notification has been deleted',
    staysOnFailure: true,
  },
}

/** Offers the job types that can exist here. */
function TypeSelect({ value, onChange, ...select }: InputProps<JobType>) {
  const { data = [], error, loading, retry } = useRemote(jobs.notifiable, {})
  if (error && !loading && data.length === 0) return <Failure error={error} retry={retry} />
  const offered = data.includes(value) ? data : [...data, value]
  return (
    <NativeSelect
      {...select}
      data={offered.map((value) => ({ value, label: jobTypeLabels[value] }))}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as JobType)}
    />
  )
}
