import { Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { NoMailServer } from '#client/parts/addresses/NoMailServer.tsx'
import { WebhookFields } from '#client/parts/webhook/WebhookFields.tsx'
import { reportFrequencies } from '#client/parts/cron/timing.ts'
import { TimingInput } from '#client/parts/cron/TimingInput.tsx'
import type { ReportForm } from './reportForm.ts'
import { ChecksInput } from './ChecksInput.tsx'
import classes from './Wizard.module.css'

const whenChoices = [
  { value: 'ALWAYS', label: 'After every run' },
  { value: 'CHECK_NOT_PASSED', label: 'Only if a check does not pass' },
]

type RunsStepProps = { form: ReportForm; busy: boolean; problem: string | undefined }

/** Schedule, checks and recipients of a report. */
export function RunsStep({ form, busy, problem }: RunsStepProps) {
  const { runs, checks, addresses, webhook } = form.values
  return (
    <div className="stack gap-16 narrow" data-takes-enter>
      <TimingInput
        label="Runs"
        frequencies={reportFrequencies}
        value={runs}
        onChange={(runs) => form.setFieldValue('runs', runs)}
        disabled={busy}
        error={form.errors['runs']}
        isFirst
        data-path="runs"
      />
      {runs.frequency !== 'NEVER' && (
        <Checkbox
          label="Paused"
          description="Scheduled runs are skipped until you turn this off."
          disabled={busy}
          {...form.getInputProps('isPaused', { type: 'checkbox' })}
        />
      )}
      <ChecksInput
        checks={checks}
        onChange={(checks) => form.setFieldValue('checks', checks)}
        error={form.errors['checks']}
        disabled={busy}
      />
      <fieldset className={classes.group}>
        <legend>Recipients</legend>
        <NoMailServer />
        <Textarea
          label="Email addresses"
          description="One address per line. The email includes the figures and the check result."
          autosize
          minRows={2}
          disabled={busy}
          {...form.getInputProps('addresses')}
        />
        <WebhookFields
          form={form}
          description="URL that receives each run."
          busy={busy}
          error={webhook === '' && problem}
        />
        {(addresses.trim() !== '' || webhook.trim() !== '') && (
          <NativeSelect label="Send" data={whenChoices} disabled={busy} {...form.getInputProps('when')} />
        )}
      </fieldset>
    </div>
  )
}
