import { archiwares } from '#events/sources/archiwares.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import { useAdditions } from '../addWizard.tsx'
import { startFirstScan } from '../FirstScan.tsx'
import { useSourceForm } from '../useSourceForm.ts'
import {
  type ArchiwareFields,
  draftOf,
  labels,
  newArchiware,
  shownAt,
  wizardErrors as check,
} from './archiwareFields.ts'

/** Form state of an index to add. */
export function useNewArchiware() {
  const { form, busy, saveBy } = useSourceForm(newArchiware, { check, shownAt, labels })
  const additions = useAdditions(form)
  const create = async (fields: ArchiwareFields) => {
    const priceBook = await additions.createPriceBooks(fields.priceBook)
    const { id } = await call(archiwares.create, { body: draftOf({ ...fields, priceBook }) })
    const name = fields.name.trim()
    toast({ kind: 'success', message: `${name} was added` })
    await startFirstScan({ kind: 'archiware', id, name }, additions.firstScan)
  }
  return { form, busy, save: () => saveBy(create), additions }
}
export type NewArchiware = ReturnType<typeof useNewArchiware>
export type ArchiwareForm = NewArchiware['form']
