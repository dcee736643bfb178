import { Button } from '@mantine/core'
import type { ConfigurationEntry, ConfigurationName } from '#events/configurations.ts'
import { TextRow } from './ConfigurationRow.tsx'
import { useConfiguration } from './useConfiguration.ts'
import classes from './Configuration.module.css'

type Row = { name: ConfigurationName; label: string; explanation: string; placeholder?: string; unit?: string }

const rows: Row[] = [
  {
    name: 'app.url',
    label: 'Application URL',
    explanation: 'Where users reach this product; mails link to it.',
    placeholder: 'https://dataintell.example.com',
  },
  {
    name: 'jobQueuedLength',
    label: 'Maximum waiting jobs',
    explanation: 'How many jobs may wait at once. What would be one more is refused.',
    unit: 'jobs',
  },
  {
    name: 'jobRetention',
    label: 'Job retention',
    explanation: 'How long jobs are kept after their end.',
    unit: 'days',
  },
  {
    name: 'serverNumberOfThreads',
    label: 'Agent threads',
    explanation: 'How many folders each agent reads at once.',
    unit: 'threads',
  },
]
const names = rows.map(({ name }) => name)

type SectionProps = { entries: ConfigurationEntry[]; updated: () => void }

/** How the product runs: Update appears when something changed. */
export function GeneralConfigurations({ entries, updated }: SectionProps) {
  const section = useConfiguration(entries, names, { onlyChanged: true, updated })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (section.hasChanges && !section.problem) section.update()
      }}
    >
      {rows.map(({ name, ...row }) => (
        <TextRow key={name} field={section.field(name)} {...row} />
      ))}
      {section.hasChanges && (
        <div className={classes.buttons}>
          <Button variant="default" onClick={section.discard} disabled={section.busy}>
            Discard
          </Button>
          <Button type="submit" loading={section.busy} disabled={section.problem !== undefined}>
            Update
          </Button>
        </div>
      )}
    </form>
  )
}
