import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { navigate } from '#client/app/place/navigate.ts'
import { type Project, projects } from '#events/projects/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { unitChoices } from '#client/ui/form/typedSize.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { projectForm, projectUnits } from './projectForm.ts'
import { TrackedFolders } from './TrackedFolders.tsx'
import classes from './ProjectForm.module.css'

/** Duration of the toast, in milliseconds. */
const savedMs = 6_000

type ProjectFormProps = {
  /** Project to edit, or 'new'. */
  edited: Project | 'new'
}

/** Creates or edits a project. */
export function ProjectForm({ edited }: ProjectFormProps) {
  const id = edited === 'new' ? undefined : edited.id
  const links = useLinks()
  const base = useSizeBase()
  const { form, busy, submit } = useProjectForm(edited)
  const cancel = () =>
    history.length > 1 ? history.back() : navigate(id === undefined ? links.projects() : links.project(id))
  return (
    <form onSubmit={submit} noValidate>
      <div className="halves start">
        <Panel title="Project">
          <div className="stack inset gap-12">
            <TextInput
              ref={id === undefined ? focus : undefined}
              label="Name"
              required
              disabled={busy}
              {...form.getInputProps('name')}
            />
            <Textarea label="Description" autosize minRows={2} disabled={busy} {...form.getInputProps('description')} />
            <div className={classes.size}>
              <TextInput
                label="Allocated Size"
                description="A soft limit. Nothing is blocked when it is reached."
                placeholder="200"
                required
                inputMode="decimal"
                autoComplete="off"
                disabled={busy}
                {...form.getInputProps('amount')}
              />
              <NativeSelect
                label="Unit"
                data={unitChoices(projectUnits, base)}
                disabled={busy}
                {...form.getInputProps('unit')}
              />
            </div>
          </div>
        </Panel>
        <TrackedFolders
          folders={form.values.folders}
          onChange={(folders) => {
            form.setFieldValue('folders', folders)
            form.clearFieldError('folders')
          }}
          error={form.errors['folders']}
          disabled={busy}
        />
      </div>
      <div className={classes.footer}>
        <Button variant="default" disabled={busy} onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          {id === undefined ? 'Create project' : 'Save project'}
        </Button>
      </div>
    </form>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()

function useProjectForm(edited: Project | 'new') {
  const links = useLinks()
  return useSavedForm({
    form: projectForm,
    edited,
    save: async (draft) => {
      const isNew = edited === 'new'
      const saved = isNew
        ? await call(projects.create, { query: {}, body: draft })
        : await call(projects.update, { query: {}, body: { ...draft, id: edited.id } })
      const [done, meanwhile] = isNew ? ['created', 'available'] : ['updated', 'updated']
      const message = `Project ${done} successfully, the full timeline of the project could take minutes to be ${meanwhile}.`
      toast({ kind: 'success', message }, savedMs)
      navigate(links.project(saved.id), { replace: !isNew })
    },
  })
}
