import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'

/** Field of a storage's form that a failed connection points to. */
export const SourceField = z.enum([
  'host',
  'shareName',
  'credentials',
  'options',
  'path',
  'region',
  'namespace',
  'name',
  'prefix',
  'inventory',
  'certificateFingerprint',
])
export type SourceField = z.infer<typeof SourceField>

/** Field in an agent's answer; null if the failure is of none, or the agent is older than the field. */
export const FailedField = SourceField.nullable().default(null)

/** Result of trying a connection before it is saved: `reason` is null if it works. `field` is the input that is wrong; null if unknown. */
export const ConnectionCheck = z.object({ reason: externalText(4_096).nullable(), field: FailedField })
export type ConnectionCheck = z.infer<typeof ConnectionCheck>
