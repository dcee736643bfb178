import { expect, test } from 'vitest'
import type { Topic } from '#events/live.ts'
import type { LiveConnection, TopicMessage } from './connection.ts'
import { Subscribers } from './subscribers.ts'

type TopicPosition = ReturnType<LiveConnection['positionOf']>

/** Subscribers with a fake connection that records requests. The test delivers each message. */
function page() {
  const requests: string[] = []
  const positions = new Map<Topic, TopicPosition>()
  const connection = {
    subscribe: (topic: Topic) => void requests.push(`+${topic}`),
    unsubscribe: (topic: Topic) => void requests.push(`-${topic}`),
    positionOf: (topic: Topic) => positions.get(topic),
  } as LiveConnection
  const gathered: Parameters<Subscribers['apply']>[0][] = []
  const subscribers = new Subscribers((item) => gathered.push(item))
  subscribers.connect(connection)
  const drawFrame = () => gathered.splice(0).forEach((item) => subscribers.apply(item))
  const say = (message: TopicMessage) => {
    positions.set(message.topic, { position: message.position, logged: message.logged })
    gathered.push(message)
  }
  const subscribe = (topic: Topic) => {
    const heard: string[] = []
    const leave = subscribers.subscribe(topic, ({ type, logged }) => heard.push(`${type} ${logged}`))
    return { heard, leave }
  }
  return { requests, subscribers, connection, say, drawFrame, subscribe }
}

const state = (topic: Topic, logged: number): TopicMessage => ({
  type: 'state',
  topic,
  position: 1,
  logged,
  state: null,
})
const more = (type: 'events' | 'resumed', topic: Topic, logged: number): TopicMessage => ({
  type,
  topic,
  position: 2,
  logged,
  events: [],
})

test('a topic is subscribed to once, however many follow it, until the last has left', () => {
  const { requests, subscribe } = page()
  const [first, second] = [subscribe('log'), subscribe('log')]
  first.leave()
  first.leave()
  expect(requests).toEqual(['+log'])
  second.leave()
  expect(requests).toEqual(['+log', '-log'])
  subscribe('log').leave()
  expect(requests).toEqual(['+log', '-log', '+log', '-log'])
})

test('later followers of a topic that starts empty join the others without a request', () => {
  const { requests, say, drawFrame, subscribe } = page()
  const first = subscribe('log')
  say(state('log', 5))
  drawFrame()
  say(more('events', 'log', 6))
  const second = subscribe('log')
  say(more('events', 'log', 7))
  drawFrame()
  expect(first.heard).toEqual(['state 5', 'events 6', 'events 7'])
  expect(second.heard).toEqual(['state 6', 'events 7'])
  expect(requests).toEqual(['+log'])
})

test('a follower that joins while others are being resumed starts where that ends', () => {
  const { connection, say, drawFrame, subscribe } = page()
  subscribe('jobs')
  connection.positionOf = () => undefined
  const second = subscribe('jobs')
  for (const message of [more('resumed', 'jobs', 8), more('events', 'jobs', 9)]) say(message)
  drawFrame()
  expect(second.heard).toEqual(['state 8', 'events 9'])
})

test('a topic that starts with its whole state restarts for all when another follower joins', () => {
  const { requests, say, drawFrame, subscribe } = page()
  const first = subscribe('job-7')
  say(state('job-7', 5))
  drawFrame()
  const second = subscribe('job-7')
  for (const message of [more('events', 'job-7', 6), state('job-7', 7), more('events', 'job-7', 8)]) say(message)
  drawFrame()
  expect(requests).toEqual(['+job-7', '+job-7'])
  expect(first.heard).toEqual(['state 5', 'events 6', 'state 7', 'events 8'])
  expect(second.heard).toEqual(['state 7', 'events 8'])
})

test('all topics restart on another connection', () => {
  const { requests, subscribers, connection, say, drawFrame, subscribe } = page()
  const { heard } = subscribe('log')
  say(state('log', 5))
  drawFrame()
  subscribers.connect(undefined)
  subscribers.connect(connection)
  for (const message of [more('events', 'log', 6), state('log', 7)]) say(message)
  drawFrame()
  expect(requests).toEqual(['+log', '+log'])
  expect(heard).toEqual(['state 5', 'state 7'])
})
