import { Button } from '@mantine/core'
import { type Members, members } from '#events/projects/members.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { IdsSelect } from '#client/parts/settings-table/IdsSelect.tsx'
import { Card } from '#client/ui/Card.tsx'
import { counted } from '#client/ui/text/count.ts'
import classes from './Project.module.css'

/** Managers and readers of a project, for those who may edit it. */
export function MembersCard({ id }: { id: number }) {
  const remote = useRemote(members.list, { params: { id } }, 'projects', 'users', 'limits')
  return (
    <Card title="Members" remote={remote}>
      {(found) => <MembersForm key={JSON.stringify(found)} id={id} found={found} onSaved={remote.retry} />}
    </Card>
  )
}

const idsOf = (some: Members['readers']) => some.map(({ id }) => String(id))

const membersForm = defineForm({
  schema: members.update.body,
  fields: { managers: [] as string[], readers: [] as string[] },
  fromRow: (found: Members) => ({ managers: idsOf(found.managers), readers: idsOf(found.readers) }),
  toDraft: ({ managers, readers }) => ({ managers: managers.map(Number), readers: readers.map(Number) }),
})

type MembersFormProps = { id: number; found: Members; onSaved: () => void }

function MembersForm({ id, found, onSaved }: MembersFormProps) {
  const { managers, readers, users } = found
  const { form, busy, submit } = useSavedForm({
    form: membersForm,
    edited: found,
    save: async (body) => {
      await call(members.update, { params: { id }, body })
      toast({ kind: 'success', message: 'The members of the project were updated' })
      onSaved()
    },
  })
  const others = users.filter((user) => !user.seesEverything || readers.some((reader) => reader.id === user.id))
  const seeing = users.filter(({ seesEverything }) => seesEverything)
  const save = (
    <Button type="submit" variant="default" loading={busy} disabled={!form.isDirty()}>
      Save members
    </Button>
  )
  return (
    <form className={classes.members} onSubmit={submit} noValidate>
      <RoleGuard needs="projects.edit" otherwise={<p>{managersText(managers)}</p>}>
        <IdsSelect
          label="Managers"
          description="They edit this project, tag below its folders and name its readers."
          placeholder="No managers"
          known={users}
          disabled={busy}
          {...form.getInputProps('managers')}
          value={form.values.managers}
        />
      </RoleGuard>
      {others.length > 0 && (
        <IdsSelect
          label="Readers"
          description="They see this project in addition to what they see already."
          placeholder="No readers"
          known={others}
          disabled={busy}
          {...form.getInputProps('readers')}
          value={form.values.readers}
        />
      )}
      <p className="muted small">{seeingText(seeing, others.length === 0)}</p>
      <RoleGuard needs="projects.edit" otherwise={others.length > 0 && save}>
        {save}
      </RoleGuard>
    </form>
  )
}

const maxNames = 10
/** Names in a sentence; of many, the first ones. */
function namesText(some: Members['readers']): string {
  const names = some.map(({ name }) => name)
  const hidden = names.splice(maxNames).length
  return new Intl.ListFormat('en-GB').format(hidden > 0 ? [...names, counted(hidden, 'other')] : names)
}

const managersText = (managers: Members['managers']) =>
  managers.length > 0 ? `Managed by ${namesText(managers)}.` : 'This project has no managers.'

/** Says who sees the project without being its reader. */
function seeingText(seeing: Members['readers'], isAll: boolean): string {
  if (isAll) return 'All users see everything, so there are no readers to name.'
  if (seeing.length === 0) return ''
  return `${namesText(seeing)} ${seeing.length === 1 ? 'sees' : 'see'} everything, and this project too.`
}
