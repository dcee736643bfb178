import { Button, NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { createContext, useContext, useEffect, useEffectEvent } from 'react'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { withButtons } from '#client/ui/form/withButtons.tsx'
import { optionsOf } from './useAgents.ts'

/** Opens a form for new credentials. If undefined, users add them in their table. */
export const NewCredentials = createContext<(() => void) | undefined>(undefined)

/** Credentials to choose from. */
export type KnownCredentials = { elements: { id: number; name: string; type?: string }[] }

export type CredentialsSelectProps = InputProps<string> & {
  /** Undefined until loaded. */
  known: KnownCredentials | undefined
  /** Shows only credentials of this type. */
  type?: string
  /** Label of the option without credentials, if they are optional. */
  none: string | undefined
}

/** Selects credentials; may offer to add new ones. In a wizard, the only ones are selected, unless none are needed. */
export function CredentialsSelect({ known, type, none, onChange, ...select }: CredentialsSelectProps) {
  const add = useContext(NewCredentials)
  const elements = known?.elements.filter((one) => type === undefined || one.type === type)
  const [only, ...others] = elements ?? []
  const choose = useEffectEvent((id: number) => onChange(String(id)))
  const isOnlyChoice =
    add !== undefined && none === undefined && only !== undefined && others.length === 0 && select.value === ''
  useEffect(() => {
    if (isOnlyChoice) choose(only.id)
  }, [isOnlyChoice, only?.id])
  const without = none ?? (elements?.length === 0 ? 'There are no credentials yet' : 'Choose credentials')
  return (
    <NativeSelect
      {...select}
      data={[{ value: '', label: without }, ...optionsOf(elements && { elements })]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      inputContainer={withButtons(
        add && (
          <Button variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={add}>
            New credentials
          </Button>
        ),
      )}
    />
  )
}
