import { ActionIcon, Button, NativeSelect, NumberInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { CheckRule, ReportCheck } from '#events/reports/templates.ts'
import { type CheckFields, newCheck } from './reportForm.ts'
import classes from './Wizard.module.css'

const levelChoices = [
  { value: 'FAIL', label: 'Fails' },
  { value: 'WARN', label: 'Warns' },
]
const ruleChoices = [
  { value: 'MORE_FILES_THAN', label: 'when more files match than' },
  { value: 'BYTES_GREW_BY', label: 'when the total size of matches grows by more than' },
]

type ChecksInputProps = {
  checks: CheckFields[]
  onChange: (checks: CheckFields[]) => void
  error: ReactNode
  disabled: boolean
}

/** Checks of a report, which are evaluated at the end of each run. */
export function ChecksInput({ checks, onChange, error, disabled }: ChecksInputProps) {
  const set = (at: number, change: Partial<CheckFields>) =>
    onChange(checks.map((check, place) => (place === at ? { ...check, ...change } : check)))
  return (
    <fieldset className={classes.group} disabled={disabled}>
      <legend>Check</legend>
      {checks.length === 0 && (
        <p className="muted">A check runs after each report run. The result appears on the dashboard and the wall.</p>
      )}
      {checks.map(({ level, rule, value }, at) => (
        <fieldset key={at} className={classes.check} aria-label={`Check ${at + 1}`}>
          <NativeSelect
            aria-label="Result"
            data={levelChoices}
            value={level}
            onChange={({ currentTarget }) => set(at, { level: currentTarget.value as ReportCheck['level'] })}
          />
          <NativeSelect
            aria-label="When"
            data={ruleChoices}
            value={rule}
            onChange={({ currentTarget }) => set(at, { rule: currentTarget.value as CheckRule })}
          />
          <NumberInput
            aria-label={rule === 'MORE_FILES_THAN' ? 'Files' : 'Percent'}
            min={0}
            allowDecimal={rule === 'BYTES_GREW_BY'}
            allowNegative={false}
            hideControls
            rightSection={rule === 'BYTES_GREW_BY' ? '%' : undefined}
            value={value}
            onChange={(value) => set(at, { value })}
          />
          <ActionIcon aria-label={`Remove check ${at + 1}`} onClick={() => onChange(checks.toSpliced(at, 1))}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        </fieldset>
      ))}
      {error && (
        <p className="critical small" role="alert">
          {error}
        </p>
      )}
      {checks.length < 10 && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
          onClick={() => onChange([...checks, newCheck])}
        >
          Add a check
        </Button>
      )}
    </fieldset>
  )
}
