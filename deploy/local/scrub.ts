import { subjects } from '#events/subjects.ts'
import { scrubStores } from '#server/upkeep/scrub/index.ts'
import { runOrder, say } from './orders/runOrder.ts'

/**
 * `npm run scrub`: reads all data of the product of this data folder, or of external stores, and lists what is damaged, what
 * was lost and what helps. A running product does it itself and keeps running. Exits with 1 if something is damaged.
 */
await runOrder({
  order: { subject: subjects.scrub, request: {}, called: 'the scrub' },
  nothing: 'Nothing to read: the product was never started here.',
  here: (stores) => scrubStores(stores, say),
})
