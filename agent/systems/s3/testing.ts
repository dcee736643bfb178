import { onTestFinished } from 'vitest'
import { forTest } from '#agent/simulator/testing.ts'
import { madeUpObjects } from '../../testing/madeUpStore.ts'
import type { TransportOptions } from '../http/transport.ts'
import { type BucketOptions, openS3 } from './index.ts'
import { objectsOf, type SimulatorOptions, startSimulator } from './simulator/index.ts'

export const account = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }

/** A simulator for one test, with a bucket `media` of some objects. */
export async function simulator(options: Partial<SimulatorOptions> = {}) {
  const buckets = { media: { objects: objectsOf(madeUpObjects(100)) } }
  return forTest(startSimulator({ accounts: [account], buckets, ...options }))
}

type Started = { url: string }

/** The bucket `media` as a Custom S3, open until the test ends. */
export function openMedia({ url }: Started, changes: Partial<BucketOptions> = {}, transport: TransportOptions = {}) {
  const options: BucketOptions = { type: 'OTHER', endpoint: url, bucket: 'media', prefix: '', ...account, ...changes }
  const opened = openS3(options, { idleMs: 5_000, ...transport })
  onTestFinished(() => opened.close())
  return opened
}
