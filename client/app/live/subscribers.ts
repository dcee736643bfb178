import { jobIdOfStream } from '#events/streams.ts'
import type { Topic } from '#events/live.ts'
import type { LiveConnection, TopicMessage } from './connection.ts'

/**
 * Takes what the server says of a topic: first a `state`, which replaces what was known, then `resumed` and `events`, which
 * are added to it.
 */
export type TopicHandler = (message: TopicMessage) => void
type Subscriber = { fold: TopicHandler; hasState: boolean }
/** One more who follows a topic that begins empty: where it begins for them. */
type FirstMessage = { subscriber: Subscriber; message: TopicMessage }

/** Topics that begin with all there is to know; the others begin empty. */
const beginsWhole = (topic: Topic) => topic === 'dashboard' || jobIdOfStream(topic) !== undefined

/** Who follows which topic. Several may follow one; each begins with a `state` and hears from then on all that the others hear. */
export class Subscribers {
  readonly #byTopic = new Map<Topic, Set<Subscriber>>()
  /** Hands over in the order in which it came: `later` gathers and then calls `apply`. */
  readonly #later: (item: TopicMessage | FirstMessage) => void
  #connection: LiveConnection | undefined

  constructor(later: (item: TopicMessage | FirstMessage) => void) {
    this.#later = later
  }

  /** Everyone begins anew on another connection, or waits for one. */
  connect(connection: LiveConnection | undefined): void {
    this.#connection = connection
    for (const [topic, subscribers] of this.#byTopic) {
      for (const subscriber of subscribers) subscriber.hasState = false
      connection?.subscribe(topic)
    }
  }

  subscribe(topic: Topic, fold: TopicHandler): () => void {
    const others = this.#byTopic.get(topic)
    const subscribers = others ?? new Set()
    const subscriber = { fold, hasState: false }
    subscribers.add(subscriber)
    this.#byTopic.set(topic, subscribers)
    if (!others || beginsWhole(topic)) this.#connection?.subscribe(topic)
    else this.#beginHere(topic, subscriber)
    return () => {
      subscribers.delete(subscriber)
      if (subscribers.size > 0 || this.#byTopic.get(topic) !== subscribers) return
      this.#byTopic.delete(topic)
      this.#connection?.unsubscribe(topic)
    }
  }

  apply(item: TopicMessage | FirstMessage): void {
    if ('subscriber' in item) return give(item.subscriber, item.message)
    for (const subscriber of this.#byTopic.get(item.topic) ?? []) {
      const begins = !subscriber.hasState && item.type === 'resumed' && !beginsWhole(item.topic)
      give(subscriber, begins ? emptyState(item) : item)
    }
  }

  /** A topic that the others were told already: what is said from now on is all that this one misses. */
  #beginHere(topic: Topic, subscriber: Subscriber) {
    const told = this.#connection?.positionOf(topic)
    if (told) this.#later({ subscriber, message: emptyState({ topic, ...told }) })
  }
}

function give(subscriber: Subscriber, message: TopicMessage) {
  subscriber.hasState ||= message.type === 'state'
  if (subscriber.hasState) subscriber.fold(message)
}

type Place = Pick<TopicMessage, 'topic' | 'position' | 'logged'>
const emptyState = ({ topic, position, logged }: Place): TopicMessage => ({
  type: 'state',
  topic,
  position,
  logged,
  state: null,
})
