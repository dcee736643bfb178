import { type Bucket, buckets } from '#events/sources/buckets.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import type { EditDialogProps } from '#client/parts/settings-table/declaration.ts'
import { PriceBookPicker } from '#client/settings/price-books/PriceBookPicker.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { bucketForm } from './bucketForm.ts'
import { BucketOptions } from './BucketOptions.tsx'
import { NameInputs } from './NameInputs.tsx'
import { ProviderInputs } from './ProviderInputs.tsx'
import { toldAsWarning } from './useBucketForm.ts'

/** Changes a bucket that is set up. */
export function EditBucket({ edited, ...props }: EditDialogProps<Bucket>) {
  return (
    <FormDialog opened={edited !== undefined} onClose={props.onClose} title={`Edit ${edited?.description ?? ''}`}>
      {edited && <Form bucket={edited} {...props} />}
    </FormDialog>
  )
}

function Form({ bucket, onClose, onSaved }: Omit<EditDialogProps<Bucket>, 'edited'> & { bucket: Bucket }) {
  const { form, busy, submit } = useSavedForm({
    form: bucketForm,
    edited: bucket,
    checksOnBlur: true,
    async save(body) {
      try {
        await call(buckets.update, { params: { id: bucket.id }, body })
        toast({ kind: 'success', message: `${body.description.trim()} was updated` })
      } catch (error) {
        if (!toldAsWarning(error)) throw error
      }
      onSaved()
      onClose()
    },
  })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save bucket" onClose={onClose}>
      <ProviderInputs form={form} busy={busy} isFixed />
      <NameInputs form={form} busy={busy} />
      <BucketOptions form={form} busy={busy} />
      <PriceBookPicker
        value={form.values.priceBook}
        onChange={(value) => form.setFieldValue('priceBook', value)}
        error={form.errors['priceBook']}
        disabled={busy}
      />
    </DialogForm>
  )
}
