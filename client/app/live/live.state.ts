import { proxy } from 'valtio'
import { type ServerMessage, type Topic, livePath } from '#events/live.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { noteServerBuild } from '#client/app/build.ts'
import { LiveConnection, type LiveStatus } from './connection.ts'
import { type TopicHandler, Subscribers } from './subscribers.ts'
import { touch, touchAll } from './versions.state.ts'

/** State of the live connection. */
export const live = proxy<LiveStatus>({
  phase: 'connecting',
  isOpen: false,
  lastMessageAt: Date.now(),
  retryAt: undefined,
})

const gather = perFrame((items: (() => void)[]) => items.forEach((take) => take()))
const subscribers = new Subscribers((item) => gather(() => subscribers.apply(item)))
let connection: LiveConnection | undefined

/** Subscribes to a topic. Several subscribers of one topic share a subscription. */
export const subscribe = (topic: Topic, fold: TopicHandler): (() => void) => subscribers.subscribe(topic, fold)

/** Subscribes to a topic once for any number of users that share its state. */
export function sharedTopic(topic: Topic, fold: TopicHandler): () => () => void {
  let users = 0
  let leave = () => {}
  return () => {
    users += 1
    if (users === 1) leave = subscribe(topic, fold)
    return () => {
      users -= 1
      if (users === 0) leave()
    }
  }
}

/** Opens the WebSocket. `onRefused` is called after each failed attempt. Returns a function that closes it. */
export function goLive(onRefused: () => void): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const opened = new LiveConnection({
    url: `${scheme}://${location.host}${withBase(livePath)}`,
    onMessage: (message) => gather(() => apply(message)),
    onStatus: (status) => Object.assign(live, status),
    onRefused,
  })
  connection = opened
  subscribers.connect(opened)
  const unsubscribe = subscribe('changed', foldChanges())
  const stopWaking = wakeWithThePage(opened)
  const refresh = setInterval(() => live.phase !== 'live' && touchAll(), 30_000)
  return () => {
    clearInterval(refresh)
    stopWaking()
    unsubscribe()
    opened.close()
    connection = undefined
    subscribers.connect(undefined)
  }
}

export const retryNow = (): void => connection?.retryNow()

function apply(message: ServerMessage) {
  if (message.type === 'beat') noteServerBuild(message.build)
  else if (message.type !== 'refused') subscribers.apply(message)
}

/** A second `state` means that changes may have been missed, so everything on screen is fetched again. */
function foldChanges(): TopicHandler {
  let isFirst = true
  return (message) => {
    if (message.type === 'state') {
      if (!isFirst) touchAll()
      isFirst = false
      return
    }
    for (const event of message.events) if (event.type === 'changed') event.topics.forEach(touch)
  }
}

function wakeWithThePage(opened: LiveConnection) {
  const wake = () => {
    if (!document.hidden) opened.retryNow()
  }
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('online', wake)
  return () => {
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('online', wake)
  }
}

/**
 * Batches items and delivers them once per animation frame. Hidden pages have no frames, so they deliver once per
 * second, which keeps the queue short.
 */
function perFrame<T>(take: (gathered: T[]) => void): (item: T) => void {
  let gathered: T[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    const taken = gathered
    gathered = []
    take(taken)
  }
  return (item) => {
    gathered.push(item)
    if (gathered.length > 1) return
    frame = requestAnimationFrame(flush)
    timer = setTimeout(flush, 1_000)
  }
}
