import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { type ConfigurationEntry, type ConfigurationName, configurations } from '#events/configurations.ts'
import { call } from '#client/app/call.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Facts } from '#client/ui/values/Facts.tsx'
import { ConnectionDialog, type ConnectionInput } from './ConnectionDialog.tsx'
import classes from './Actions.module.css'

type ConnectionSettingsProps = {
  entries: ConfigurationEntry[]
  /** Reads the entries again after a change. */
  updated: () => void
  /** Settings that are shown. */
  inputs: ConnectionInput[]
  /** Setting that can be set but not read. With `goesTo`, the setting with its address, it is bound to that. */
  secret: ConnectionInput & { goesTo?: string }
  /** Text while a setting is missing. */
  missing: string
}

/** Settings of a connection to another system, and dialogs that change them. */
export function ConnectionSettings({ entries, updated, inputs, secret, missing }: ConnectionSettingsProps) {
  const [edited, edit] = useState<'settings' | 'secret'>()
  const entryOf = (name: ConfigurationName) => entries.find((entry) => entry.name === name)
  const valueOf = (name: ConfigurationName) => entryOf(name)?.value ?? ''
  const { isSet = false, isLost = false } = entryOf(secret.name) ?? {}
  const isComplete = isSet && inputs.every(({ name }) => valueOf(name) !== '')
  const isEmpty = !isSet && inputs.every(({ name }) => valueOf(name) === '')
  const save = async (values: Partial<Record<ConfigurationName, string>>) => {
    const body = Object.entries(values).map(([name, value]) => ({
      name: name as ConfigurationName,
      value,
      description: entryOf(name as ConfigurationName)?.description,
    }))
    await call(configurations.update, { body })
    updated()
  }
  const close = () => edit(undefined)
  const { goesTo, ...secretInput } = secret
  const again = {
    ...secretInput,
    description: `Needed only if the ${goesTo} changes. Leave it empty to keep it.`,
    value: '',
    isSecret: true,
    isOptional: true,
  } as const
  return (
    <section className={classes.connection} aria-label="Configurations">
      <h3 className={classes.title}>Configurations</h3>
      {!isComplete && <p className="muted">{missing}</p>}
      {isLost && (
        <Chip
          icon={IconAlertTriangle}
          tone="warn"
          title="It was encrypted with a different key than the server has now"
        >
          {`Enter the ${secret.label.toLowerCase()} again`}
        </Chip>
      )}
      {!isEmpty && (
        <Facts
          facts={[
            ...inputs.map(({ name, label }) => ({ name: label, text: valueOf(name) || notSet })),
            { name: secret.label, text: isSet ? masked : notSet },
          ]}
        />
      )}
      <div className="flex wrap gap-8">
        <Button variant="default" onClick={() => edit('settings')}>
          Edit configurations
        </Button>
        <Button variant="default" onClick={() => edit('secret')}>
          Change {secret.label.toLowerCase()}
        </Button>
      </div>
      <ConnectionDialog
        opened={edited === 'settings'}
        title="Edit Configurations"
        saves="Save configurations"
        inputs={[
          ...inputs.map((input) => ({ ...input, value: valueOf(input.name) })),
          ...(goesTo !== undefined && isSet ? [again] : []),
        ]}
        save={save}
        onClose={close}
      />
      <ConnectionDialog
        opened={edited === 'secret'}
        title={`Change ${secret.label}`}
        saves={`Save ${secret.label.toLowerCase()}`}
        inputs={[{ ...secretInput, value: '', isSecret: true }]}
        save={save}
        onClose={close}
      />
    </section>
  )
}

const notSet = 'Not set'

/** Stands for a value that is set and never shown. */
const masked = '••••••••'
