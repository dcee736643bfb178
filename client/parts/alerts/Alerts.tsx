import { Button } from '@mantine/core'
import { IconBellPlus } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { type Schedule, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { session } from '#client/app/session.state.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { activeColumn, schedulesOf, usePause } from '#client/parts/cron/schedules.tsx'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import type { RowButtons, SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { HistoryAction, SendTestAction } from '#client/ui/table/RowActions.tsx'
import { useIsBelow } from '#client/ui/useIsBelow.ts'
import { alertColumns } from './alertColumns.tsx'
import { type AlertDraft, alertForm } from './alertForm.tsx'
import { showTested } from './channelForm.tsx'
import type { Recipients } from './ChannelsInput.tsx'
import { useAlertResources } from './alertResources.tsx'
import classes from './Alerts.module.css'

/** Alerts of the user: their state, recipients and last messages. `onHistory` shows what an alert fired about. */
export function Alerts({ onHistory }: { onHistory?: (alert: Schedule) => void }) {
  const { user } = useSnapshot(session)
  const resources = useAlertResources()
  const [switching, pause] = usePause()
  const [testing, test] = useBusy(sendTest)
  const busy = switching || testing
  const isNarrow = useIsBelow(768)
  const isMedium = useIsBelow(1280)
  return (
    <SettingsSection
      title="Your alerts"
      table={{
        ...alertsTable,
        rows: schedulesOf({ jobGroup: 'ALERT', userId: Number(user?.id) }, 'notifications'),
        columns: (onDone) => alertColumns(resources, { isNarrow, isMedium }, activeColumn(busy, pause, onDone)),
        actions: (alert, buttons) => actionsOf(alert, buttons, { busy, test, onHistory }),
      }}
    />
  )
}

const alertsTable: Omit<SettingsTable<Schedule, AlertDraft>, 'rows' | 'columns'> = {
  label: 'Alerts',
  isQuiet: true,
  empty: {
    icon: IconBellPlus,
    text: 'No alerts yet. Get an email or webhook call when a storage or project fills up, a scan fails, or a report check fails.',
  },
  calls: callsOf(schedules),
  adding: { label: 'Add alert', link: 'alert' },
  editing: { label: ({ name }) => `Edit alert ${name}` },
  opens: {
    at: 'dialog',
    size: 'L',
    right: ['recipients', 'timing'],
    title: (edited) => (edited === 'new' ? 'Add alert' : `Edit ${edited.name}`),
    saves: () => 'Save alert',
    beside: ({ form, busy }) => <TestRecipients recipients={form.values['recipients'] as Recipients} busy={busy} />,
  },
  form: alertForm,
  deletion: {
    label: ({ name }) => `Delete alert ${name}`,
    title: () => 'Delete Confirmation',
    verb: 'Delete alert',
    question: ({ name }) => `Are you sure you want to delete alert ${name}?`,
    deleted: ({ name }) => `Alert ${name} was deleted`,
    staysOnFailure: true,
  },
}

type Actions = { busy: boolean; test: (alert: Schedule) => void; onHistory: ((alert: Schedule) => void) | undefined }

const actionsOf = (alert: Schedule, { edit, remove }: RowButtons, { busy, test, onHistory }: Actions) => (
  <span className={classes.actions}>
    {onHistory && <HistoryAction label={`History of alert ${alert.name}`} onClick={() => onHistory(alert)} />}
    <SendTestAction
      label={`Send test of alert ${alert.name}`}
      whyNot={busy ? 'Sending …' : alert.alert?.isOwnerDeleted === true && 'Turn it on first'}
      onClick={() => test(alert)}
    />
    {edit}
    {remove}
  </span>
)

/** Sends a test message to the recipients of a form. */
function TestRecipients({ recipients, busy }: { recipients: Recipients; busy: boolean }) {
  const [isTesting, test] = useBusy(async () => void showTested(await call(schedules.testDraft, { body: recipients })))
  const isEmpty = !recipients.email && recipients.channelIds.length === 0
  return (
    <Button variant="default" onClick={test} loading={isTesting} disabled={busy || isEmpty}>
      Send test
    </Button>
  )
}

const sendTest = async ({ id, name }: Schedule) => void showTested(await call(schedules.test, { params: { id } }), name)
