import { useEffect, useEffectEvent } from 'react'
import type { Topic } from '#events/live.ts'
import type { TopicHandler } from './subscribers.ts'
import { subscribe } from './live.state.ts'

/**
 * Calls `fold` with messages of a topic while the component is mounted. Does nothing without a topic. A new topic
 * starts with its own `state`.
 */
export function useTopic(topic: Topic | undefined, fold: TopicHandler): void {
  const foldNow = useEffectEvent(fold)
  useEffect(() => (topic === undefined ? undefined : subscribe(topic, (message) => foldNow(message))), [topic])
}
