import { proxy } from 'valtio'
import { type ServerMessage, type Topic, livePath } from '#events/live.ts'
import { noteServerBuild } from '#client/app/build.ts'
import { LiveConnection, type LiveStatus } from './connection.ts'
import { type TopicHandler, Subscribers } from './subscribers.ts'
import { touch, touchAll } from './versions.state.ts'

/** How it stands with the connection to the server. */
export const live = proxy<LiveStatus>({ phase: 'connecting', isOpen: false, heardAt: Date.now(), retryAt: undefined })

const gather = perFrame((items: (() => void)[]) => items.forEach((take) => take()))
const subscribers = new Subscribers((item) => gather(() => subscribers.apply(item)))
let connection: LiveConnection | undefined

/** Gives what the server says of a topic to a screen's state, for as long as the screen is shown; others may follow it too. */
export const subscribe = (topic: Topic, fold: TopicHandler): (() => void) => subscribers.subscribe(topic, fold)

/** Follows a topic with one fold for however many ask for it: what it makes of the messages is known to them all. */
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

/** Opens the page's socket; `onRefused` is called after each try that failed. Gives back how to end it. */
export function goLive(onRefused: () => void): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const opened = new LiveConnection({
    url: `${scheme}://${location.host}${livePath}`,
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

/** A new `state` after the first one means that changes may have been missed: everything shown is read again. */
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
 * Gathers what comes in and hands it over once per animation frame. A hidden page draws no frames; there it is handed
 * over each second, so that nothing piles up.
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
