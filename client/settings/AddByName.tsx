import { TextInput } from '@mantine/core'
import type { z } from 'zod'
import { checkedBy } from '../app/form.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { InlineForm } from '../ui/InlineForm.tsx'
import { OpensForm } from '../ui/OpensForm.tsx'

type Draft = { name: string }
type AddByNameProps<T> = {
  /** What opens the field, what the field is for, and what sends it. */
  words: { open: string; field: string; hint: string; add: string }
  schema: z.ZodType
  create: (draft: Draft) => Promise<T>
  onAdded: (added: T) => void
}

/** A button that opens a field, in which something new gets its name. */
export function AddByName<T>(props: AddByNameProps<T>) {
  return <OpensForm label={props.words.open}>{(close) => <Field {...props} onClose={close} />}</OpensForm>
}

function Field<T>({ words, schema, create, onAdded, onClose }: AddByNameProps<T> & { onClose: () => void }) {
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
    <InlineForm adds words={{ save: words.add, cancel: 'Cancel' }} busy={busy} onSubmit={submit} onClose={onClose}>
      <TextInput
        aria-label={words.field}
        placeholder={words.hint}
        // A disabled one would lose the focus.
        readOnly={busy}
        {...form.getInputProps('name')}
      />
    </InlineForm>
  )
}
