import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type OneTimePassword, type User, users } from '#events/users.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { countText } from '../../ui/text/count.ts'
import { SecretShownOnce } from '../ShownOnce.tsx'
import { UserForm } from './UserForm.tsx'
import { UserQuestions } from './UserQuestions.tsx'
import { usersColumns } from './usersColumns.tsx'

/** Who may sign in, and what they may do then. */
export function UsersSection() {
  const [sort, setSort] = useState<Sort>({ field: 'name', direction: 'asc' })
  const query = { page: 1, size: everyUser, sort: sort.field, direction: sort.direction }
  const list = useRemote(users.list, { query }, 'users')
  const [edited, edit] = useState<User | 'new'>()
  const [asked, ask] = useState<{ about: User; to: 'reset' | 'remove' }>()
  const [given, show] = useState<OneTimePassword>()
  const columns = usersColumns({
    edit,
    reset: (about) => ask({ about, to: 'reset' }),
    remove: (about) => ask({ about, to: 'remove' }),
  })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => edit('new')}>
      Add user
    </Button>
  )
  return (
    <>
      <Card title="Users" note={list.data && countText(list.data.total)} remote={list} folds="open">
        {({ elements }) => (
          <DataTable
            label="Users"
            columns={columns}
            rows={elements}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            empty={null}
            footer={add}
          />
        )}
      </Card>
      <UserForm edited={edited} onClose={() => edit(undefined)} onSaved={list.retry} onMade={show} />
      <UserQuestions asked={asked} onClose={() => ask(undefined)} onDone={list.retry} onReset={show} />
      <SecretShownOnce
        title={`Password of ${given?.name ?? ''}`}
        label="This one-time password"
        secret={given?.password}
        onClose={() => show(undefined)}
      >
        Whoever signs in with it has to choose a password of their own before anything else.
      </SecretShownOnce>
    </>
  )
}

/** More than one page may hold are not made by hand. */
const everyUser = 500
