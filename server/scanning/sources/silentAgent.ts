import type { ConnectionCheck } from '#events/sources/sourceField.ts'

/** Result of a check that no agent answers. */
export const silentAgent: ConnectionCheck = {
  reason: 'The agent does not respond, so the connection could not be checked',
  field: null,
}
