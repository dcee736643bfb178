import { useEffect, useEffectEvent } from 'react'
import type { Topic } from '#events/live.ts'
import type { TopicHandler } from './subscribers.ts'
import { subscribe } from './live.state.ts'

/**
 * Gives what the server says of a topic to `fold` for as long as the component is shown; nothing while there is no topic.
 * Another topic begins with its own `state`.
 */
export function useTopic(topic: Topic | undefined, fold: TopicHandler): void {
  const foldNow = useEffectEvent(fold)
  useEffect(() => (topic === undefined ? undefined : subscribe(topic, (message) => foldNow(message))), [topic])
}
