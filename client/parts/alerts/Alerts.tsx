import { useMediaQuery } from '@mantine/hooks'
import { IconBellPlus } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { type Schedule, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { session } from '#client/app/session.state.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { activeColumn, schedulesOf, usePause } from '#client/parts/cron/schedules.tsx'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import type { RowButtons, SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { SendTestAction } from '#client/ui/table/RowActions.tsx'
import { alertColumns } from './alertColumns.tsx'
import { type AlertDraft, alertForm } from './alertForm.tsx'
import { useAlertResources } from './alertResources.tsx'

/** Alerts of the user: their state, recipients and last messages. */
export function Alerts() {
  const { user } = useSnapshot(session)
  const resources = useAlertResources()
  const [switching, pause] = usePause()
  const [testing, test] = useBusy(sendTest)
  const busy = switching || testing
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false }) === true
  return (
    <SettingsSection
      title="Your alerts"
      table={{
        ...alertsTable,
        rows: schedulesOf({ jobGroup: 'ALERT', userId: Number(user?.id) }, 'notifications'),
        columns: (onDone) => alertColumns(resources, isNarrow, activeColumn(busy, pause, onDone)),
        actions: (alert, buttons) => actionsOf(alert, buttons, { busy, test }),
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
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add alert' : `Edit ${edited.name}`),
    saves: () => 'Save alert',
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

type TestState = { busy: boolean; test: (alert: Schedule) => void }

const actionsOf = (alert: Schedule, { edit, remove }: RowButtons, { busy, test }: TestState) => (
  <>
    <SendTestAction
      label={`Send test of alert ${alert.name}`}
      whyNot={busy ? 'Sending …' : alert.alert?.isOwnerDeleted === true && 'Turn it on first'}
      onClick={() => test(alert)}
    />
    {edit}
    {remove}
  </>
)

/** Sends a test message to every recipient and shows the results in one message. */
async function sendTest({ id, name }: Schedule): Promise<void> {
  const results = await call(schedules.test, { params: { id } })
  const failed = results.filter(({ error }) => error !== null)
  if (failed.length === 0)
    return toast({ kind: 'success', message: `Test sent to ${results.map(({ to }) => to).join(', ')}` })
  toastFailure(`Test of ${name} failed. ${failed.map(({ to, error }) => `${to}: ${error}`).join('. ')}`)
}
