import { Button } from '@mantine/core'
import type { ConfigurationEntry } from '#events/configurations.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Card } from '../../ui/Card.tsx'
import { ChoiceRow, SwitchRow, TextRow } from './ConfigurationRow.tsx'
import type { Row } from './configurationRows.ts'
import { SizeRow } from './SizeRow.tsx'
import { useConfiguration } from './useConfiguration.ts'
import classes from './Configuration.module.css'

type SectionProps = {
  title: string
  rows: Row[]
  remote: Loadable<ConfigurationEntry[]>
  /** Initial state. */
  folds?: 'open' | 'closed' | undefined
}

/** A group of settings. Update appears after a change. */
export function ConfigurationSection({ title, rows, remote, folds = 'open' }: SectionProps) {
  return (
    <Card title={title} remote={remote} folds={folds}>
      {(entries) => <Form rows={rows} entries={entries} updated={remote.retry} />}
    </Card>
  )
}

const controls = { text: TextRow, switch: SwitchRow, size: SizeRow, choice: ChoiceRow }

function Form({ rows, entries, updated }: { rows: Row[]; entries: ConfigurationEntry[]; updated: () => void }) {
  const names = rows.map(({ name }) => name)
  const section = useConfiguration(entries, names, { onlyChanged: true, updated })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (section.hasChanges && !section.problem) section.update()
      }}
    >
      <div className={classes.rows}>
        {rows.map(({ name, kind = 'text', ...row }) => {
          const Control = controls[kind]
          return <Control key={name} field={section.field(name)} {...row} />
        })}
      </div>
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
