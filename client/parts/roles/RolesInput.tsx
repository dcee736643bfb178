import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Role } from '#events/needs.ts'
import { everyone, roleChoices } from './roleWords.ts'
import classes from './Roles.module.css'

type RolesInputProps = {
  value: readonly Role[]
  onChange: (roles: Role[]) => void
  error?: ReactNode
  disabled: boolean
  description?: string
}

/** The roles, each with what it allows. */
export function RolesInput({ value, onChange, error, disabled, description = everyone }: RolesInputProps) {
  return (
    <Checkbox.Group
      label="Roles"
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
