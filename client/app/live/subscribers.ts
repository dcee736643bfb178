import { jobIdOfStream } from '#events/streams.ts'
import type { Topic } from '#events/live.ts'
import type { LiveConnection, TopicMessage } from './connection.ts'

/**
 * Receives messages of a topic: first `state`, which replaces earlier data, then `resumed` and `events`, which add to
 * it.
 */
export type TopicHandler = (message: TopicMessage) => void
type Subscriber = { fold: TopicHandler; hasState: boolean }
/** First message for a new subscriber of a topic that starts empty. */
type FirstMessage = { subscriber: Subscriber; message: TopicMessage }

/** Topics whose `state` has all current data; the others start empty. */
const hasFullState = (topic: Topic) => topic === 'dashboard' || jobIdOfStream(topic) !== undefined

/** Subscribers by topic. Each subscriber first receives a `state`, then the same messages as the others. */
export class Subscribers {
  readonly #byTopic = new Map<Topic, Set<Subscriber>>()
  /** Delivers in order of arrival: `later` queues, then calls `apply`. */
  readonly #later: (item: TopicMessage | FirstMessage) => void
  #connection: LiveConnection | undefined

  constructor(later: (item: TopicMessage | FirstMessage) => void) {
    this.#later = later
  }

  /** Subscribers start over on a new connection, or wait for one. */
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
    if (!others || hasFullState(topic)) this.#connection?.subscribe(topic)
    else this.#beginHere(topic, subscriber)
    return () => {
      subscribers.delete(subscriber)
      if (subscribers.size > 0 || this.#byTopic.get(topic) !== subscribers) return
      this.#byTopic.delete(topic)
      this.#connection?.unsubscribe(topic)
    }
  }

  apply(item: TopicMessage | FirstMessage): void {
    if ('subscriber' in item) return deliver(item.subscriber, item.message)
    for (const subscriber of this.#byTopic.get(item.topic) ?? []) {
      const begins = !subscriber.hasState && item.type === 'resumed' && !hasFullState(item.topic)
      deliver(subscriber, begins ? emptyState(item) : item)
    }
  }

  /** Joins a topic that has other subscribers. The new subscriber needs only messages from now on. */
  #beginHere(topic: Topic, subscriber: Subscriber) {
    const known = this.#connection?.positionOf(topic)
    if (known) this.#later({ subscriber, message: emptyState({ topic, ...known }) })
  }
}

function deliver(subscriber: Subscriber, message: TopicMessage) {
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
