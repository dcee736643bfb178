import { proxy } from 'valtio'
import { type ServerMessage, type Topic, livePath } from '#events/live.ts'
import { noteServerBuild } from '../build.ts'
import { LiveConnection, type LiveStatus } from './connection.ts'
import { type Fold, Followers } from './followers.ts'
import { perFrame } from './perFrame.ts'
import { touch, touchAll } from './versions.state.ts'

/** How it stands with the connection to the server. */
export const live = proxy<LiveStatus>({ phase: 'connecting', isOpen: false, heardAt: Date.now(), retryAt: undefined })

const gather = perFrame((items: (() => void)[]) => items.forEach((take) => take()))
const followers = new Followers((item) => gather(() => followers.apply(item)))
let connection: LiveConnection | undefined

/** Gives what the server says of a topic to a screen's state, for as long as the screen is shown; others may follow it too. */
export const follow = (topic: Topic, fold: Fold): (() => void) => followers.follow(topic, fold)

/** Opens the page's socket; `refused` learns of each try that failed. Gives back how to end it. */
export function goLive(refused: () => void): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const opened = new LiveConnection({
    url: `${scheme}://${location.host}${livePath}`,
    hear: (message) => gather(() => apply(message)),
    tell: (status) => Object.assign(live, status),
    refused,
  })
  connection = opened
  followers.connect(opened)
  const stopFollowing = follow('changed', foldChanges())
  const stopWaking = wakeWithThePage(opened)
  const refresh = setInterval(() => live.phase !== 'live' && touchAll(), 30_000)
  return () => {
    clearInterval(refresh)
    stopWaking()
    stopFollowing()
    opened.close()
    connection = undefined
    followers.connect(undefined)
  }
}

export const retryNow = (): void => connection?.retryNow()

function apply(message: ServerMessage) {
  if (message.type === 'beat') noteServerBuild(message.build)
  else if (message.type !== 'refused') followers.apply(message)
}

/** A new `state` after the first one means that changes may have been missed: everything shown is read again. */
function foldChanges(): Fold {
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
