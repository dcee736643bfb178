import { type NetworkCredential, NetworkCredentialDraft, networkCredentials } from '#events/network-volumes.ts'
import { call } from '../../app/call.ts'
import { checkedBy } from '../../app/form.ts'
import { toast } from '../../app/toasts.ts'
import { useSavedForm } from '../../app/useSavedForm.ts'

type CredentialFields = { name: string; username: string; password: string; domain: string; options: string }

/** The fields of credentials and how they are saved; `saved` hears the id. A password that is left empty stays what it was, unless it was lost. */
export function useCredentialForm(edited: NetworkCredential | 'new', saved: (id: number) => void) {
  const isNew = edited === 'new'
  const mayStay = !isNew && !edited.isPasswordLost
  const draftOf = (fields: CredentialFields) => ({
    ...fields,
    password: mayStay && fields.password === '' ? null : fields.password,
  })
  return useSavedForm<CredentialFields>({
    initialValues: isNew ? nothing : fieldsOf(edited),
    check: (fields) => checkedBy(NetworkCredentialDraft)(draftOf(fields)),
    async save(fields) {
      const body = draftOf(fields)
      const params = { id: isNew ? 0 : edited.id }
      const id = isNew ? (await call(networkCredentials.create, { body })).id : params.id
      if (!isNew) await call(networkCredentials.update, { params, body })
      saved(id)
      toast({ kind: 'success', message: `On-Premises credentials was ${isNew ? 'created' : 'updated'} successfully` })
    },
  })
}

const nothing: CredentialFields = { name: '', username: '', password: '', domain: '', options: '' }
const fieldsOf = ({ name, username, domain, options }: NetworkCredential): CredentialFields => ({
  name,
  username,
  password: '',
  domain,
  options,
})
