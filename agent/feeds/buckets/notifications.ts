import { z } from 'zod'
import { decodeKey } from '../../systems/s3/listing/keys.ts'

/** An object that a notification names, in any event: created, removed, restored, moved to another class. */
export type NotifiedKey = { bucket: string; key: string }

const Record = z.object({
  s3: z.object({ bucket: z.object({ name: z.string() }), object: z.object({ key: z.string() }) }),
})
/** The forms of messages: those of S3, of EventBridge, S3's test of a new configuration, and SNS's envelope of any of them. */
const Notification = z.object({ Records: z.array(Record).min(1) })
const Event = z.object({
  source: z.literal('aws.s3'),
  detail: z.object({ bucket: z.object({ name: z.string() }), object: z.object({ key: z.string() }) }),
})
const TestEvent = z.object({ Event: z.literal('s3:TestEvent'), Bucket: z.string() })
const Envelope = z.object({ Type: z.literal('Notification'), Message: z.string() })

/**
 * The objects that a message names; the bucket alone for a test event. Undefined for a message that isn't about objects. S3 encodes keys as forms do, and MinIO also
 * their slashes; EventBridge has them unchanged.
 */
export function readNotification(body: string): NotifiedKey[] | { testOf: string } | undefined {
  const json = parsed(body)
  const notification = Notification.safeParse(json)
  if (notification.success)
    return notification.data.Records.map(({ s3 }) => ({ bucket: s3.bucket.name, key: decodeKey(s3.object.key, ' ') }))
  const event = Event.safeParse(json)
  if (event.success) return [{ bucket: event.data.detail.bucket.name, key: event.data.detail.object.key }]
  const test = TestEvent.safeParse(json)
  if (test.success) return { testOf: test.data.Bucket }
  const envelope = Envelope.safeParse(json)
  return envelope.success ? readNotification(envelope.data.Message) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
