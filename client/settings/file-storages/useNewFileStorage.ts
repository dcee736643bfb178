import { useState } from 'react'
import { toast } from '../../app/toasts.ts'
import { createMade, type MadePriceBook } from '../../parts/price-books/madePriceBooks.ts'
import { type FileStorageFields, newFileStorage } from './fileStorageFields.ts'
import { createFileStorage, useFileStorageForm } from './useFileStorageForm.ts'

/** A file storage before it is set up, with the price books that were made for it: they are created first. */
export function useNewFileStorage() {
  const { form, busy, saveBy } = useFileStorageForm(newFileStorage)
  const [made, setMade] = useState<MadePriceBook[]>([])
  const create = async (fields: FileStorageFields) => {
    const priceBook = await createMade(fields.priceBook, made, (chosen, left) => {
      form.setFieldValue('priceBook', chosen)
      setMade(left)
    })
    await createFileStorage({ ...fields, priceBook })
    toast({ kind: 'success', message: `${fields.name.trim()} was added` })
  }
  return { form, busy, save: () => saveBy(create), making: { made, onMade: setMade } }
}
export type NewFileStorage = ReturnType<typeof useNewFileStorage>
