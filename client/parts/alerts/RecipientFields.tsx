import { Checkbox, Textarea } from '@mantine/core'
import { useSnapshot } from 'valtio'
import type { CurrentUser } from '#events/users/session.ts'
import { session, userMay } from '#client/app/session.state.ts'
import type { Schedule } from '#events/schedules/calls.ts'
import type { DrawnProps } from '#client/parts/settings-table/form.ts'
import { WebhookFields } from '#client/parts/webhook/WebhookFields.tsx'
import { webhookProblem, type WebhookValues } from '#client/parts/webhook/webhookValues.ts'
import classes from './Alerts.module.css'

type Recipients = WebhookValues & { email: boolean; addresses: string }

/** Recipients of an alert. Administrators can add addresses of others. */
export function RecipientFields({ form, busy, edited }: DrawnProps<Recipients, Schedule>) {
  const { user } = useSnapshot(session) as { user: CurrentUser | undefined }
  const mayAddOthers = userMay(user, 'settings.edit')
  const { isWebhookLost = false, isOwnerDeleted = false } = (edited !== 'new' && edited.alert) || {}
  const problem = webhookProblem({ isWebhookLost, isWebhookUserDeleted: isWebhookLost && isOwnerDeleted })
  return (
    <fieldset className={classes.group}>
      <legend>Recipients</legend>
      <Checkbox
        label="Email to my address"
        description={user?.email ?? "You have no email address, so you won't get this email. Add one in your profile."}
        disabled={busy}
        {...form.getInputProps('email', { type: 'checkbox' })}
      />
      {(mayAddOthers || form.values.addresses !== '') && (
        <Textarea
          label="Other email addresses"
          description="One address per line."
          autosize
          minRows={1}
          disabled={busy}
          {...form.getInputProps('addresses')}
        />
      )}
      <WebhookFields
        form={form}
        description="Slack, Microsoft Teams, Discord, ntfy, or any URL that receives the alert as JSON (POST)."
        busy={busy}
        error={form.values.webhook === '' && problem}
      />
    </fieldset>
  )
}
