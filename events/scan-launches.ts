import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const cloneIndex = z.stringbool().default(true)
const isDeltaScan = z.stringbool().default(true)
/** A delta scan needs the index that it changes. */
const Delta = z
  .object({ cloneIndex, isDeltaScan })
  .transform(({ cloneIndex, isDeltaScan }) => ({ cloneIndex: cloneIndex || isDeltaScan, isDeltaScan }))

const ids = (what: string) => z.array(z.int().min(1)).min(1, `must name at least one ${what}`).max(10_000)

const launch = { method: 'POST', needs: 'scans.start', failure: 'Unable to start the scan' } as const
const answer = z.object({ jobId: z.int() })

/** Scans of what is not a file storage; answered by 501 with the code `not-available` where they cannot be done yet. */
export const scanBuckets = endpoint({
  ...launch,
  path: '/v1/scans/buckets/ids',
  query: z.object({ cloneIndex }),
  body: ids('object storage'),
  answer,
})
export const scanArchiwares = endpoint({
  ...launch,
  path: '/v1/scans/archiwares/ids',
  bundle: 'archiwareP5',
  query: Delta,
  body: ids('Archiware index'),
  answer,
})
export const scanPowerScales = endpoint({
  ...launch,
  path: '/v1/scans/powerScales/ids',
  query: Delta,
  body: ids('Dell PowerScale storage'),
  answer,
})
