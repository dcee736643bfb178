import { NativeSelect } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
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
import { WebhookFields } from '#client/parts/webhook/WebhookFields.tsx'
import { webhookFields } from '#client/parts/webhook/webhookValues.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { notificationColumns } from './notificationColumns.tsx'

/** Emails that the user receives when jobs end. */
export const NotificationsCard = () => <SettingsSection title="Job notifications" table={notificationsTable} />

const nameOf = ({ type }: JobNotification) => `job notification for ${jobTypeLabels[type]}`

const notificationsTable: SettingsTable<JobNotification, JobNotificationDraft> = {
  label: 'Job notifications',
  rows: { ...rowsOf(notifications.list, 'notifications'), query: () => ({ size: 1_000 }) },
  isQuiet: true,
  columns: notificationColumns,
  empty: {
    icon: IconMailPlus,
    text: 'No job notifications yet. Get an email or webhook call when a job ends.',
  },
  calls: callsOf(notifications),
  adding: { label: 'Add job notification' },
  editing: { label: (notification) => `Edit ${nameOf(notification)}` },
  opens: {
    at: 'dialog',
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
      email: { label: 'Email to my address', errorLabel: 'Email', kind: 'checkbox', initial: true as boolean },
      ...webhookFields(
        '',
        (notification: JobNotification) => notification,
        ({ form, busy }) => <WebhookFields form={form} description="Receives the job as JSON (POST)." busy={busy} />,
      ),
    },
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
