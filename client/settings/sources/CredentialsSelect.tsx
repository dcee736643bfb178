import { Button, NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { optionsOf } from './useAgents.ts'
import classes from './Sources.module.css'

type CredentialsSelectProps = Omit<ComponentProps<typeof NativeSelect>, 'data' | 'label'> & {
  known: Parameters<typeof optionsOf>[0]
  /** Label of the option without credentials. */
  none: string
  /** Opens a form for new credentials. If undefined, users add them in their table. */
  onNew: (() => void) | undefined
}

/** Selects credentials; may offer to add new ones. */
export function CredentialsSelect({ known, none, onNew, ...select }: CredentialsSelectProps) {
  return (
    <div className={classes.withButton}>
      <NativeSelect label="Credentials" data={[{ value: '', label: none }, ...optionsOf(known)]} {...select} />
      {onNew && (
        <Button variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={onNew}>
          New credentials
        </Button>
      )}
    </div>
  )
}
