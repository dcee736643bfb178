import { type ApiToken, apiTokens } from '#events/api-tokens.ts'
import { call } from '../../app/call.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'

type ApiTokenRevokeProps = { doomed: ApiToken | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a token stops working. */
export function ApiTokenRevoke(props: ApiTokenRevokeProps) {
  const { doomed, onClose } = props
  return (
    <ConfirmDeletion
      {...props}
      title={`Revoke ${doomed?.name ?? ''}`}
      verb="Revoke token"
      remove={({ id }) => call(apiTokens.remove, { params: { id } }).finally(onClose)}
      gone={({ name }) => `${name} was revoked`}
    >
      Scripts that use {doomed?.name} are refused from their next call on.
    </ConfirmDeletion>
  )
}
