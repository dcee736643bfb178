import { type Bucket, buckets } from '#events/sources/buckets.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import type { EditDialogProps } from '#client/parts/settings-table/declaration.ts'
import { PriceBookPicker } from '#client/settings/price-books/PriceBookPicker.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { type BucketFields, draftOf, fieldsOf } from './bucketFields.ts'
import { AdvancedInputs } from './AdvancedInputs.tsx'
import { NameInputs } from './NameInputs.tsx'
import { ProviderInputs } from './ProviderInputs.tsx'
import { toldAsWarning, useBucketForm } from './useBucketForm.ts'

/** Changes a bucket that is set up. */
export function EditBucket({ edited, ...props }: EditDialogProps<Bucket>) {
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={`Edit ${edited?.description ?? ''}`} holds>
      {edited && <Form bucket={edited} {...props} />}
    </Dialog>
  )
}

function Form({ bucket, onClose, onSaved }: Omit<EditDialogProps<Bucket>, 'edited'> & { bucket: Bucket }) {
  const { form, busy, submitBy } = useBucketForm(fieldsOf(bucket))
  const update = async (fields: BucketFields) => {
    try {
      await call(buckets.update, { params: { id: bucket.id }, body: draftOf(fields) })
      toast({ kind: 'success', message: `${fields.description.trim()} was updated` })
    } catch (error) {
      if (!toldAsWarning(error)) throw error
    }
  }
  const submit = submitBy(update, () => {
    onSaved()
    onClose()
  })
  return (
    <DialogForm onSubmit={(event) => void submit(event)} busy={busy} saves="Save bucket" onClose={onClose}>
      <ProviderInputs form={form} busy={busy} isFixed />
      <NameInputs form={form} busy={busy} />
      <AdvancedInputs form={form} busy={busy} />
      <PriceBookPicker
        value={form.values.priceBook}
        onChange={(value) => form.setFieldValue('priceBook', value)}
        error={form.errors['priceBook']}
        disabled={busy}
      />
    </DialogForm>
  )
}
