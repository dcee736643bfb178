import type { NewApiToken } from '#events/api-tokens.ts'
import { SecretShownOnce } from '../ShownOnce.tsx'

/** A new token, which the server does not keep. */
export function ApiTokenMade({ made, onClose }: { made: NewApiToken | undefined; onClose: () => void }) {
  return (
    <SecretShownOnce
      title={`${made?.name ?? ''} was added`}
      label="This API token"
      secret={made?.token}
      onClose={onClose}
    >
      Scripts send it with each call in the header Authorization: Bearer, followed by the token. Whoever has it may do
      what its roles allow, until it expires or is revoked.
    </SecretShownOnce>
  )
}
