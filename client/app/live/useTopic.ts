import { useEffect, useEffectEvent } from 'react'
import type { Topic } from '#events/live.ts'
import type { Fold } from './followers.ts'
import { follow } from './live.state.ts'

/**
 * Gives what the server says of a topic to `fold` for as long as the component is shown; nothing while there is no topic.
 * Another topic begins with its own `state`.
 */
export function useTopic(topic: Topic | undefined, fold: Fold): void {
  const foldNow = useEffectEvent(fold)
  useEffect(() => (topic === undefined ? undefined : follow(topic, (message) => foldNow(message))), [topic])
}
