import { ActionIcon } from '@mantine/core'
import { IconBan, IconKey } from '@tabler/icons-react'
import type { User } from '#events/users.ts'
import { roleNames } from '../../parts/roles/roleWords.ts'
import { Chip } from '../../ui/Chip.tsx'
import type { Column } from '../../ui/column.ts'
import { Moment } from '../../ui/Moment.tsx'
import { EditAction, RemoveAction, RowActions } from '../../ui/RowActions.tsx'
import classes from './Users.module.css'

type Actions = Record<'edit' | 'reset' | 'remove', (user: User) => void>

export const usersColumns = (actions: Actions): Column<User>[] => [
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    cell: ({ name, isDisabled, isOfProvider }) => (
      <span className={classes.name}>
        {name}
        {isDisabled && (
          <Chip icon={IconBan} tone="critical">
            Disabled
          </Chip>
        )}
        {isOfProvider && <Chip title="The provider gives its name and roles">Single sign-on</Chip>}
      </span>
    ),
  },
  { key: 'email', title: 'E-mail', wideOnly: true, cell: ({ email }) => email ?? '-' },
  {
    key: 'roles',
    title: 'Roles',
    wideOnly: true,
    cell: ({ roles }) => <div className={classes.roles}>{roleNames(roles) || 'None'}</div>,
  },
  {
    key: 'lastSignInAt',
    title: 'Last sign-in',
    sortable: true,
    wideOnly: true,
    cell: ({ lastSignInAt, hasOneTimePassword }) => (
      <>
        {lastSignInAt ? <Moment at={lastSignInAt} /> : 'Never'}
        {hasOneTimePassword && <span className={classes.quiet}>, with a one-time password</span>}
      </>
    ),
  },
  { key: 'action', title: 'Action', align: 'right', cell: (user) => <Deeds user={user} {...actions} /> },
]

function Deeds({ user, edit, reset, remove }: Actions & { user: User }) {
  const { name, isOfProvider } = user
  return (
    <RowActions>
      <EditAction label={`Edit ${name}`} onClick={() => edit(user)} />
      {!isOfProvider && (
        <ActionIcon aria-label={`Reset password of ${name}`} onClick={() => reset(user)}>
          <IconKey size={16} stroke={1.5} />
        </ActionIcon>
      )}
      <RemoveAction label={`Delete ${name}`} onClick={() => remove(user)} />
    </RowActions>
  )
}
