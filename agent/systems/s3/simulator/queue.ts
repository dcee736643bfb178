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

/** The messages of a queue, which keeps no order. */
class Messages {
  readonly #behaviour: Behaviour
  readonly #all = new Map<string, Message>()
  isClosed = false

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour
  }

  get size(): number {
    return this.#all.size
  }

  happens(part = 0): boolean {
    return part > 0 && (this.#behaviour.random ?? Math.random)() < part
  }

  add(body: string): void {
    for (let copies = this.happens(this.#behaviour.doubled) ? 2 : 1; copies > 0; copies--) {
      const id = randomUUID()
      this.#all.set(id, { id, body, sentMs: Date.now(), visibleMs: 0, receipt: '' })
    }
  }

  async receive(input: Input): Promise<object> {
    const untilMs = Date.now() + (input.WaitTimeSeconds ?? 0) * 1_000
    for (;;) {
      const Messages = this.#take(input)
      if (Messages.length > 0 || this.isClosed || Date.now() >= untilMs) return { Messages }
      await wait(5)
    }
  }

  delete({ Entries = [] }: Input): object {
    const receipts = new Set(Entries.map((entry) => entry.ReceiptHandle))
    for (const { id, receipt } of this.#all.values())
      if (receipts.has(receipt) && !this.happens(this.#behaviour.undeleted)) this.#all.delete(id)
    return { Successful: [], Failed: [] }
  }

  #take({ VisibilityTimeout = 30 }: Input): object[] {
    const { random, hiddenMs } = this.#behaviour
    const visible = [...this.#all.values()].filter(({ visibleMs }) => visibleMs <= Date.now())
    const some = random ? visible.toSorted(() => random() - 0.5) : visible
    return some.slice(0, 10).map((message) => {
      message.visibleMs = Date.now() + (hiddenMs ?? VisibilityTimeout * 1_000)
      message.receipt = randomUUID()
      const { id: MessageId, receipt: ReceiptHandle, body: Body, sentMs } = message
      return { MessageId, ReceiptHandle, Body, Attributes: { SentTimestamp: String(sentMs) } }
    })
  }
}

/** A queue on the loopback that speaks SQS by its JSON protocol, and checks signatures. */
export async function startQueue({ accounts, ...options }: { accounts: Account[] } & Behaviour) {
  const behaviour: Behaviour = options
  const messages = new Messages(behaviour)
  const listener: RequestListener = async (request, response) => {
    const body = await bodyOf(request)
    const refuse = (code: string, status = 400) =>
      response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.sqs#${code}`, message: 'Refused' }))
    const signed = signerOf(request, accounts, Date.now())
    const hash = createHash('sha256').update(body).digest('hex')
    if ('status' in signed) return void refuse(signed.code, 403)
    if (request.headers['x-amz-content-sha256'] !== hash) return void refuse('InvalidSignature', 403)
    if (behaviour.refusal) return void refuse(behaviour.refusal)
    const isReceive = request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage'
    const answer = await (isReceive ? messages.receive(JSON.parse(body)) : messages.delete(JSON.parse(body)))
    if (messages.happens(behaviour.lost)) return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer))
  }
  const { url, stop } = await newPort(listener)
  return {
    url: `${url}/123456789012/changes`,
    behaviour,
    size: () => messages.size,
    send: (body: string | object) => messages.add(typeof body === 'string' ? body : JSON.stringify(body)),
    async close(): Promise<void> {
      messages.isClosed = true
      await stop()
    },
  }
}
