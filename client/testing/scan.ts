import { vi } from 'vitest'
import { measured } from '#server/platform/testing/phases.ts'
import type { Visit } from '../testing.ts'

/** Scans volumes and returns the job's id. */
export async function startScan({ product }: Visit, ...volumeIds: number[]): Promise<number> {
  const { answer } = await product.call('POST', '/v1/scans/volumes/ids', volumeIds)
  return (answer as { jobId: number }).jobId
}

/** Scans volumes and waits for the end. */
export async function scan(visit: Visit, ...volumeIds: number[]): Promise<void> {
  const id = await startScan(visit, ...volumeIds)
  const isOver = async () => {
    const { answer } = await visit.product.call('GET', `/v1/jobs/${id}`)
    const { status } = answer as { status: string }
    if (!/SUCCESS|WARNING|FAILURE/.test(status)) throw new Error(`The scan is ${status}`)
  }
  await measured('scan', () => vi.waitFor(isOver, { timeout: 120_000, interval: 50 }))
}
