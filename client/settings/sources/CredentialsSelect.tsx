import { Button, NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { withButtons } from '#client/ui/form/withButtons.tsx'
import { optionsOf } from './useAgents.ts'

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
    <NativeSelect
      label="Credentials"
      data={[{ value: '', label: none }, ...optionsOf(known)]}
      inputContainer={withButtons(
        onNew && (
          <Button variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={onNew}>
            New credentials
          </Button>
        ),
      )}
      {...select}
    />
  )
}
