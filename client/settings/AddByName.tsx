import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import { checkedBy } from '../app/form.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { focus } from './focus.ts'

type Draft = { name: string }
type AddByNameProps<T> = {
  /** What opens the field, what the field is for, and what sends it. */
  words: { open: string; field: string; hint: string; add: string }
  schema: z.ZodType
  classes: { inline?: string; field?: string }
  create: (draft: Draft) => Promise<T>
  onAdded: (added: T) => void
}

/** A button that opens a field, in which something new gets its name. */
export function AddByName<T>(props: AddByNameProps<T>) {
  const [stage, setStage] = useState<'never opened' | 'open' | 'closed'>('never opened')
  if (stage === 'open') return <Field {...props} onClose={() => setStage('closed')} />
  return (
    <Button
      ref={stage === 'closed' ? focus : null}
      leftSection={<IconPlus size={16} stroke={1.5} />}
      variant="default"
      onClick={() => setStage('open')}
    >
      {props.words.open}
    </Button>
  )
}

function Field<T>({ words, schema, classes, create, onAdded, onClose }: AddByNameProps<T> & { onClose: () => void }) {
  const { form, busy, submit } = useSavedForm({
    initialValues: { name: '' },
    check: checkedBy(schema),
    async save(draft: Draft) {
      const added = await create(draft)
      onClose()
      onAdded(added)
    },
  })
  return (
    <form className={classes.inline} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field}
        aria-label={words.field}
        placeholder={words.hint}
        ref={focus}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        // A disabled one would lose the focus.
        readOnly={busy}
        {...form.getInputProps('name')}
      />
      <Button type="submit" loading={busy}>
        {words.add}
      </Button>
      <Button variant="default" onClick={onClose} disabled={busy}>
        Cancel
      </Button>
    </form>
  )
}
