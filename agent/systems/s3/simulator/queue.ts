import { createHash, randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { newPort } from '#agent/simulator/listen.ts'
import { bodyOf } from '#agent/simulator/simulate.ts'
import { type Account, signerOf } from './signature.ts'

/** Differences between the simulator and a queue that is ideal; they may be changed while it runs. */
type Behaviour = {
  /** Numbers from 0 to 1 that decide what follows; by default nothing of it happens. */
  random?: () => number
  /** Part of messages that are sent twice, of receipts after which a message is received again, and of answers that get lost. */
  doubled?: number
  undeleted?: number
  lost?: number
  /** Milliseconds after which a message that was received and not deleted is sent again; by default those that were requested. */
  hiddenMs?: number
  /** Code instead of an answer, such as `QueueDoesNotExist`. */
  refusal?: string | undefined
}
type Message = { id: string; body: string; sentMs: number; visibleMs: number; receipt: string }
type Input = {
  QueueUrl: string
  WaitTimeSeconds?: number
  VisibilityTimeout?: number
  Entries?: { ReceiptHandle: string }[]
}

/** A queue on the loopback that speaks SQS by its JSON protocol, checks signatures, and keeps no order. `requests` counts those for messages. */
export async function startQueue({ accounts, ...options }: { accounts: Account[] } & Behaviour) {
  const behaviour: Behaviour = options
  const messages = new Map<string, Message>()
  let isClosed = false
  const happens = (part = 0) => part > 0 && (behaviour.random ?? Math.random)() < part
  const add = (body: string) => {
    const id = randomUUID()
    messages.set(id, { id, body, sentMs: Date.now(), visibleMs: 0, receipt: '' })
  }
  const receive = ({ VisibilityTimeout = 30 }: Input) => {
    const visible = [...messages.values()].filter(({ visibleMs }) => visibleMs <= Date.now())
    const some = behaviour.random ? visible.toSorted(() => (behaviour.random?.() ?? 0) - 0.5) : visible
    return some.slice(0, 10).map((message) => {
      message.visibleMs = Date.now() + (behaviour.hiddenMs ?? VisibilityTimeout * 1_000)
      message.receipt = randomUUID()
      const { id: MessageId, receipt: ReceiptHandle, body: Body, sentMs } = message
      return { MessageId, ReceiptHandle, Body, Attributes: { SentTimestamp: String(sentMs) } }
    })
  }
  const actions: Record<string, (input: Input) => Promise<object>> = {
    async ReceiveMessage(input) {
      const untilMs = Date.now() + (input.WaitTimeSeconds ?? 0) * 1_000
      for (;;) {
        const Messages = receive(input)
        if (Messages.length > 0 || isClosed || Date.now() >= untilMs) return { Messages }
        await wait(5)
      }
    },
    async DeleteMessageBatch({ Entries = [] }) {
      const receipts = new Set(Entries.map((entry) => entry.ReceiptHandle))
      for (const { id, receipt } of messages.values())
        if (receipts.has(receipt) && !happens(behaviour.undeleted)) messages.delete(id)
      return { Successful: [], Failed: [] }
    },
  }
  const listener: RequestListener = async (request, response) => {
    const body = await bodyOf(request)
    const refuse = (code: string, status = 400) =>
      response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.sqs#${code}`, message: 'Refused' }))
    const signed = signerOf(request, accounts, Date.now())
    const hash = createHash('sha256').update(body).digest('hex')
    if ('status' in signed) return void refuse(signed.code, 403)
    if (request.headers['x-amz-content-sha256'] !== hash) return void refuse('InvalidSignature', 403)
    if (behaviour.refusal) return void refuse(behaviour.refusal)
    const answer = await actions[String(request.headers['x-amz-target']).replace('AmazonSQS.', '')]?.(JSON.parse(body))
    if (happens(behaviour.lost)) return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer))
  }
  const { url, stop } = await newPort(listener)
  return {
    url: `${url}/123456789012/changes`,
    behaviour,
    size: () => messages.size,
    send(body: string | object): void {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      add(text)
      if (happens(behaviour.doubled)) add(text)
    },
    async close(): Promise<void> {
      isClosed = true
      await stop()
    },
  }
}
