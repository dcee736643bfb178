import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { metricsRole, type Role, type TokenRole } from '#events/contract/needs.ts'
import { everyone, roleChoices } from './roleWords.ts'
import classes from './Roles.module.css'

type RolesInputProps<R extends TokenRole> = {
  label: string
  description?: ReactNode
  value: readonly R[]
  onChange: (roles: R[]) => void
  error?: ReactNode
  disabled: boolean
}

/** Checkboxes of the roles of a user with their descriptions. */
export const RolesInput = (props: RolesInputProps<Role>) => (
  <Roles {...props} choices={roleChoices.filter(({ role }) => role !== metricsRole)} />
)

/** Same for a token: its role for metrics excludes all others. */
export function TokenRolesInput(props: RolesInputProps<TokenRole>) {
  const { value, onChange } = props
  const change = (roles: TokenRole[]) =>
    onChange(roles.includes(metricsRole) && !value.includes(metricsRole) ? [metricsRole] : roles)
  return <Roles {...props} onChange={change} choices={roleChoices} isOnly={value.includes(metricsRole)} />
}

type ChoiceProps<R extends TokenRole> = RolesInputProps<R> & { choices: typeof roleChoices; isOnly?: boolean }

function Roles<R extends TokenRole>(props: ChoiceProps<R>) {
  const { label, description = everyone, value, onChange, error, disabled, choices, isOnly = false } = props
  return (
    <Checkbox.Group
      label={label}
      description={description}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      value={[...value]}
      onChange={(roles) => onChange(roles as R[])}
      error={error}
    >
      <div className={classes.roles}>
        {choices.map(({ role, name, allows }) => (
          <Checkbox
            key={role}
            value={role}
            label={name}
            description={allows}
            disabled={disabled || (isOnly && role !== metricsRole)}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
