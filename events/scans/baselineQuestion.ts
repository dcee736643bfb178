import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'
import { SourceOrder } from '../sources/scanOrder.ts'

/** Asks an agent to keep the state of a storage that the next scan lists changes from, such as a snapshot that would expire. */
export const BaselineQuestion = z.object({ source: SourceOrder, baseline: z.string() })
export type BaselineQuestion = z.infer<typeof BaselineQuestion>

/** Without a reason it is kept. */
export const BaselineAnswer = z.object({ reason: externalText(4_096).nullable() })
export type BaselineAnswer = z.infer<typeof BaselineAnswer>
