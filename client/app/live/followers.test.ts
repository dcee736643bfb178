import { expect, test } from 'vitest'
import type { Topic } from '#events/live.ts'
import type { LiveConnection, TopicMessage } from './connection.ts'
import { Followers } from './followers.ts'

type Told = ReturnType<LiveConnection['toldOf']>

/** Followers whose connection keeps what it is asked, and who are handed each message when the test says so. */
function page() {
  const asked: string[] = []
  const told = new Map<Topic, Told>()
  const connection = {
    subscribe: (topic: Topic) => void asked.push(`+${topic}`),
    unsubscribe: (topic: Topic) => void asked.push(`-${topic}`),
    toldOf: (topic: Topic) => told.get(topic),
  } as LiveConnection
  const gathered: Parameters<Followers['apply']>[0][] = []
  const followers = new Followers((item) => gathered.push(item))
  followers.connect(connection)
  const drawFrame = () => gathered.splice(0).forEach((item) => followers.apply(item))
  const say = (message: TopicMessage) => {
    told.set(message.topic, { position: message.position, logged: message.logged })
    gathered.push(message)
  }
  const follow = (topic: Topic) => {
    const heard: string[] = []
    const leave = followers.follow(topic, ({ type, logged }) => heard.push(`${type} ${logged}`))
    return { heard, leave }
  }
  return { asked, followers, connection, say, drawFrame, follow }
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
  const { asked, follow } = page()
  const [first, second] = [follow('log'), follow('log')]
  first.leave()
  first.leave()
  expect(asked).toEqual(['+log'])
  second.leave()
  expect(asked).toEqual(['+log', '-log'])
  follow('log').leave()
  expect(asked).toEqual(['+log', '-log', '+log', '-log'])
})

test('who follows later a topic that begins empty begins where the others are, without asking the server', () => {
  const { asked, say, drawFrame, follow } = page()
  const first = follow('log')
  say(state('log', 5))
  drawFrame()
  say(more('events', 'log', 6))
  const second = follow('log')
  say(more('events', 'log', 7))
  drawFrame()
  expect(first.heard).toEqual(['state 5', 'events 6', 'events 7'])
  expect(second.heard).toEqual(['state 6', 'events 7'])
  expect(asked).toEqual(['+log'])
})

test('who comes while the others are being resumed begins where that ends', () => {
  const { connection, say, drawFrame, follow } = page()
  follow('jobs')
  connection.toldOf = () => undefined
  const second = follow('jobs')
  for (const message of [more('resumed', 'jobs', 8), more('events', 'jobs', 9)]) say(message)
  drawFrame()
  expect(second.heard).toEqual(['state 8', 'events 9'])
})

test('a topic that begins with its whole begins anew for all when one more follows it', () => {
  const { asked, say, drawFrame, follow } = page()
  const first = follow('job-7')
  say(state('job-7', 5))
  drawFrame()
  const second = follow('job-7')
  for (const message of [more('events', 'job-7', 6), state('job-7', 7), more('events', 'job-7', 8)]) say(message)
  drawFrame()
  expect(asked).toEqual(['+job-7', '+job-7'])
  expect(first.heard).toEqual(['state 5', 'events 6', 'state 7', 'events 8'])
  expect(second.heard).toEqual(['state 7', 'events 8'])
})

test('on another connection everyone begins anew', () => {
  const { asked, followers, connection, say, drawFrame, follow } = page()
  const { heard } = follow('log')
  say(state('log', 5))
  drawFrame()
  followers.connect(undefined)
  followers.connect(connection)
  for (const message of [more('events', 'log', 6), state('log', 7)]) say(message)
  drawFrame()
  expect(asked).toEqual(['+log', '+log'])
  expect(heard).toEqual(['state 5', 'state 7'])
})
