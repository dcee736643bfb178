import { z } from 'zod'
import { readOutside } from '#events/contract/readOutside.ts'
import { addressFault } from '../http/addresses.ts'
import { type Answer, textOf } from '../http/answer.ts'
import { connectionFailure } from '../http/connectionFailure.ts'
import { busyStatus, failureFrom, type FailureTable, isOne } from '../http/failureTable.ts'
import { ForeignAnswer, Refusal } from '../http/refusal.ts'
import { newTransport, type TransportOptions } from '../http/transport.ts'
import { inParallel } from '../inParallel.ts'
import { ScanFailed } from '../system.ts'
import { sdkClient, type StoreOptions } from './client.ts'
import { regionOf } from './endpoints.ts'
import { noRole, secretsOf } from './failures.ts'
import { checkRole, NoRole } from './role.ts'

/** A message that waits in a queue, and the milliseconds UTC when it was sent. The receipt deletes it. */
export type QueueMessage = { id: string; receipt: string; body: string; sentMs: number }

type QueueOptions = StoreOptions & { queue: string }

/** Seconds that a request for messages waits for one, and for which a message that was received isn't sent again. */
const waitSeconds = 20
const hiddenSeconds = 120
/** The most messages of a request. */
const maxMessages = 10

const Received = z.object({
  Messages: z
    .array(
      z.object({
        MessageId: z.string(),
        ReceiptHandle: z.string(),
        Body: z.string(),
        Attributes: z.object({ SentTimestamp: z.string().optional() }).optional(),
      }),
    )
    .max(maxMessages)
    .nullish(),
})

/**
 * A queue that speaks SQS, by its JSON protocol. Requests are signed like those to the bucket, and by its keys. They throw `ScanFailed` for errors that
 * users have to correct, and `StoreBusy` for those that may pass. Throws `ScanFailed` for an invalid URL.
 */
export function newQueue(options: QueueOptions, transportOptions: TransportOptions = {}) {
  const { ask, close } = newAsker(options, transportOptions)
  return {
    /** Messages that wait. Without any, waits for one if `waits`, for up to 20 seconds. */
    async receive(waits: boolean, signal: AbortSignal): Promise<QueueMessage[]> {
      const input = {
        MaxNumberOfMessages: maxMessages,
        VisibilityTimeout: hiddenSeconds,
        WaitTimeSeconds: waits ? waitSeconds : 0,
        AttributeNames: ['SentTimestamp'],
      }
      const { Messages } = await ask('ReceiveMessage', input, Received, signal)
      return (Messages ?? []).map(({ MessageId: id, ReceiptHandle: receipt, Body: body, Attributes }) => {
        const sentMs = Number(Attributes?.SentTimestamp)
        return { id, receipt, body, sentMs: Number.isFinite(sentMs) ? sentMs : Date.now() }
      })
    },
    /** Deletes messages. Those that fail are received again. */
    delete: (receipts: string[], signal: AbortSignal): Promise<void> =>
      inParallel(inTens(receipts), 8, async (some) => {
        const Entries = some.map((ReceiptHandle, at) => ({ Id: String(at), ReceiptHandle }))
        await ask('DeleteMessageBatch', { Entries }, z.object({}), signal)
      }),
    close,
  }
}
export type Queue = ReturnType<typeof newQueue>

/** Signs and sends requests. */
function newAsker(options: QueueOptions, transportOptions: TransportOptions) {
  const fault = addressFault(options.queue)
  if (fault) throw new ScanFailed(`The URL of the queue ${fault}`)
  const url = new URL(options.queue)
  const region = /^sqs\.([a-z0-9-]+)\.amazonaws\./.exec(url.hostname)?.[1] ?? regionOf(options)
  const transport = newTransport({ idleMs: (waitSeconds + 20) * 1_000, ...transportOptions })
  const client = sdkClient(options, region, transport)
  let hasAnswered = false
  return {
    async ask<S extends z.ZodType>(action: string, input: object, schema: S, signal: AbortSignal) {
      try {
        if (options.usesRole) await checkRole(client)
        const scheme = { name: 'sigv4', signingName: 'sqs', signingRegion: region, properties: {} }
        const signed = await (await client.config.signer(scheme)).sign(requestOf(url, action, input))
        const { response } = await transport.handle(signed, { abortSignal: signal })
        hasAnswered = true
        if (response.statusCode !== 200) throw new QueueRefusal(response)
        return contentOf(response, schema)
      } catch (error) {
        signal.throwIfAborted()
        throw failureFrom(table, error, { ...options, host: url.host, hasAnswered })
      }
    },
    close() {
      client.destroy()
      transport.destroy()
    },
  }
}

function requestOf({ href, protocol, hostname, port, host, pathname }: URL, action: string, input: object) {
  return {
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: pathname,
    query: {},
    headers: { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
    body: JSON.stringify({ QueueUrl: href, ...input }),
  }
}

function contentOf<S extends z.ZodType>(answer: Answer, schema: S): z.output<S> {
  let json: unknown
  try {
    json = JSON.parse(textOf(answer))
  } catch {
    throw new ForeignAnswer(answer)
  }
  const { data, success } = readOutside(schema, json)
  if (!success) throw new ForeignAnswer(answer)
  return data
}

function* inTens(receipts: string[]): Generator<string[]> {
  for (let at = 0; at < receipts.length; at += maxMessages) yield receipts.slice(at, at + maxMessages)
}

/** A refusal of a queue. The code is without the name of the service before it. */
class QueueRefusal extends Refusal {
  constructor(answer: Answer) {
    super(answer)
    const type = /"__type"\s*:\s*"([^"]{0,200})"/.exec(this.text)?.[1] ?? ''
    this.code = type.slice(type.search(/[^#]*$/)).replace(/^.*\.|Exception$/g, '')
  }
}

type Context = QueueOptions & { host: string; hasAnswered: boolean }

const table: FailureTable<QueueRefusal, Context> = {
  refusal: QueueRefusal,
  refusals: [
    { status: busyStatus, isBusy: true, sentence: ({ host }) => `The queue at ${host} is too busy` },
    {
      codes: /^(\w*Throttl\w*|TooManyRequests|OverLimit|ServiceUnavailable|Internal\w*)$/,
      isBusy: true,
      sentence: ({ host }, { code }) => `The queue at ${host} is too busy: ${code}`,
    },
    {
      codes: /^(QueueDoesNotExist|NonExistentQueue|InvalidAddress)$/,
      sentence: ({ queue }) => `There is no queue at ${queue}. Check its URL in the settings of the storage.`,
    },
    {
      codes: /^(AccessDenied|NotAuthorized|Forbidden|UnauthorizedOperation)$/,
      isDenied: true,
      sentence: ({ usesRole }) =>
        `${usesRole ? "The role of the agent's machine has" : 'The credentials of the bucket have'} no right to read the queue. Add sqs:ReceiveMessage and sqs:DeleteMessage to their policy.`,
    },
    {
      codes:
        /^(InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSignature|\w*Token\w*)$/,
      sentence: ({ host }, { code }) =>
        `The queue at ${host} does not accept the credentials of the bucket (${code}). Check its URL and the credentials.`,
    },
  ],
  other: ({ host }, { code, statusCode }) => `The queue at ${host} refused: ${code || `status ${statusCode}`}`,
  errors: [
    { when: isOne(NoRole), sentence: (_, error) => noRole(error as NoRole) },
    {
      when: isOne(ForeignAnswer),
      sentence: ({ host }) => `${host} does not answer as SQS does. Check the URL of the queue.`,
    },
  ],
  connection: (error, { host, hasAnswered, queue, ...keys }) =>
    connectionFailure(error, { host, hasAnswered, secrets: secretsOf(keys), isTypedPlain: queue.startsWith('http:') }),
}
