import { archiwares } from '#events/sources/archiwares.ts'
import { call } from '#client/app/call.ts'
import { useNewSource } from '../addWizard.tsx'
import { newArchiwareForm } from './archiwareForm.ts'

/** Form state of an index to add. */
export const useNewArchiware = () =>
  useNewSource({
    kind: 'archiware',
    form: newArchiwareForm,
    nameOf: ({ name }) => name,
    create: async (body) => (await call(archiwares.create, { body })).id,
  })

export type ArchiwareForm = ReturnType<typeof useNewArchiware>['form']
