import type { Topic } from '#events/live.ts'
import type { LiveConnection, TopicMessage } from './connection.ts'

/**
 * Takes what the server says of a topic: first a `state`, which replaces what was known, then `resumed` and `events`, which
 * are added to it.
 */
export type Fold = (message: TopicMessage) => void
type Follower = { fold: Fold; hasState: boolean }
/** One more who follows a topic that begins empty: where it begins for them. */
type Beginning = { follower: Follower; message: TopicMessage }

/** Topics that begin with all there is to know; the others begin empty. */
const beginsWhole = (topic: Topic) => topic === 'dashboard' || topic.startsWith('job-')

/** Who follows which topic. Several may follow one; each begins with a `state` and hears from then on all that the others hear. */
export class Followers {
  readonly #byTopic = new Map<Topic, Set<Follower>>()
  /** Hands over in the order in which it came: `later` gathers and then calls `apply`. */
  readonly #later: (item: TopicMessage | Beginning) => void
  #connection: LiveConnection | undefined

  constructor(later: (item: TopicMessage | Beginning) => void) {
    this.#later = later
  }

  /** Everyone begins anew on another connection, or waits for one. */
  connect(connection: LiveConnection | undefined): void {
    this.#connection = connection
    for (const [topic, followers] of this.#byTopic) {
      for (const follower of followers) follower.hasState = false
      connection?.subscribe(topic)
    }
  }

  follow(topic: Topic, fold: Fold): () => void {
    const others = this.#byTopic.get(topic)
    const followers = others ?? new Set()
    const follower = { fold, hasState: false }
    followers.add(follower)
    this.#byTopic.set(topic, followers)
    if (!others || beginsWhole(topic)) this.#connection?.subscribe(topic)
    else this.#beginHere(topic, follower)
    return () => {
      followers.delete(follower)
      if (followers.size > 0 || this.#byTopic.get(topic) !== followers) return
      this.#byTopic.delete(topic)
      this.#connection?.unsubscribe(topic)
    }
  }

  apply(item: TopicMessage | Beginning): void {
    if ('follower' in item) return give(item.follower, item.message)
    for (const follower of this.#byTopic.get(item.topic) ?? []) {
      const begins = !follower.hasState && item.type === 'resumed' && !beginsWhole(item.topic)
      give(follower, begins ? emptyState(item) : item)
    }
  }

  /** A topic that the others were told already: what is said from now on is all that this one misses. */
  #beginHere(topic: Topic, follower: Follower) {
    const told = this.#connection?.toldOf(topic)
    if (told) this.#later({ follower, message: emptyState({ topic, ...told }) })
  }
}

function give(follower: Follower, message: TopicMessage) {
  follower.hasState ||= message.type === 'state'
  if (follower.hasState) follower.fold(message)
}

type Place = Pick<TopicMessage, 'topic' | 'position' | 'logged'>
const emptyState = ({ topic, position, logged }: Place): TopicMessage => ({
  type: 'state',
  topic,
  position,
  logged,
  state: null,
})
