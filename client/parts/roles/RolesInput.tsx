import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Role } from '#events/contract/needs.ts'
import { everyone, roleChoices } from './roleWords.ts'
import classes from './Roles.module.css'

type RolesInputProps = {
  label: string
  description?: ReactNode
  value: readonly Role[]
  onChange: (roles: Role[]) => void
  error?: ReactNode
  disabled: boolean
}

/** Checkboxes of the roles with their descriptions. */
export function RolesInput({ label, description = everyone, value, onChange, error, disabled }: RolesInputProps) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      value={[...value]}
      onChange={(roles) => onChange(roles as Role[])}
      error={error}
    >
      <div className={classes.roles}>
        {roleChoices.map(({ role, name, allows }) => (
          <Checkbox key={role} value={role} label={name} description={allows} disabled={disabled} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
