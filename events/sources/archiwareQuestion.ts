import { z } from 'zod'
import { externalText, ExternalFailure } from '#events/contract/externalText.ts'
import { ArchiwareConnection, ArchiwarePlan } from './archiwares.ts'
import { FailedField } from './sourceField.ts'

/** A request of the server to an agent: names of indexes, plans, or names of clients of a P5 server. */
export const ArchiwareQuestion = z.object({
  type: z.enum(['indexes', 'plans', 'clients']),
  connection: ArchiwareConnection,
})
export type ArchiwareQuestion = z.infer<typeof ArchiwareQuestion>

/** A plan as its P5 server describes it. */
export const PlanOfServer = ArchiwarePlan.omit({ server: true, credentialsId: true, credentialsName: true })
export type PlanOfServer = z.infer<typeof PlanOfServer>

/** Maximum length of a list. */
export const maxNames = 10_000

/**
 * `names` are those of indexes or clients. `debugMessage` is what P5 answered, in its own words, and `field` which input is wrong.
 */
export const ArchiwareAnswer = z.object({
  failure: ExternalFailure.extend({ field: FailedField }).nullable(),
  names: z.array(externalText(4_096)).max(maxNames),
  plans: z.array(PlanOfServer).max(maxNames),
})
export type ArchiwareAnswer = z.infer<typeof ArchiwareAnswer>
