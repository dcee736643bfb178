import { expect, test } from 'vitest'
import { builtInAgent, type Heartbeat, inactiveAfterMs } from '#events/agents.ts'
import { beatOf } from './testing.ts'
import { type Holder, judgeRun, rememberRefused, rivalOf } from './judgeRun.ts'

const start = Date.parse('2026-12-01T10:00:00Z')
const after = (seconds: number) => new Date(start + seconds * 1_000)

const machine = { id: 'north', boot: 'monday', pid: 10 }
/** Holds the key since its last heartbeat at the start. */
const holder: Holder = {
  id: 7,
  name: 'north',
  host: 'north',
  run: 'first',
  machine: machine.id,
  boot: machine.boot,
  pid: machine.pid,
  lastActiveAt: after(0),
  refused: null,
}
const judge = (known: Holder, beat: Heartbeat, seconds: number, listeningSince = 0) =>
  judgeRun(known, beat, { now: after(seconds).getTime(), listeningSince })
const silentFor = inactiveAfterMs / 1_000

test('the first machine gets the key, and keeps it however long it is silent', () => {
  const unbound = { ...holder, run: null, machine: null, boot: null, pid: null, lastActiveAt: null }
  expect(judge(unbound, beatOf('first', machine), 0)).toBe('accepted')
  expect(judge(holder, beatOf('first', machine), 9_999)).toBe('accepted')
  const other = { id: 'south', boot: 'tuesday', pid: 10 }
  for (const seconds of [0, silentFor, 9_999])
    expect(judge(holder, beatOf('second', other), seconds)).toBe('another machine')
  expect(judge({ ...holder, run: null }, beatOf('second', other), 9_999)).toBe('another machine')
  expect(judge(holder, beatOf('first', other), 0)).toBe('another machine')
})

test('a restart gets the key when the process before has ended, stopped in order or fell silent', () => {
  const again = { ...machine, pid: 11 }
  const { boot, pid } = machine
  expect(judge(holder, beatOf('second', again), 1)).toBe('a second process')
  expect(judge(holder, beatOf('second', again, { gone: { boot, pid } }), 1)).toBe('accepted')
  expect(judge({ ...holder, run: null }, beatOf('second', again), 1)).toBe('accepted')
  expect(judge(holder, beatOf('second', again), silentFor - 1)).toBe('a second process')
  expect(judge(holder, beatOf('second', again), silentFor)).toBe('accepted')
})

test('only a process of the same boot says that another one has ended', () => {
  const { boot, pid } = machine
  const clone = { ...machine, boot: 'of the clone' }
  expect(judge(holder, beatOf('second', clone, { gone: { boot, pid } }), 1)).toBe('a second process')
  expect(judge(holder, beatOf('second', machine, { gone: { boot, pid: 99 } }), 1)).toBe('a second process')
})

test('silence counts from when the server began to receive heartbeats', () => {
  const listeningSince = after(100).getTime()
  expect(judge(holder, beatOf('second', machine), 100 + silentFor - 1, listeningSince)).toBe('a second process')
  expect(judge(holder, beatOf('second', machine), 100 + silentFor, listeningSince)).toBe('accepted')
})

test('a clone with the same machine ID does not follow the holder that ran at the same time', () => {
  const clone = beatOf('second', { ...machine, boot: 'of the clone' })
  const seen = { ...holder, refused: rememberRefused(null, clone, after(1)) }
  // Until the holder's next heartbeat, it may be the same machine after a restart.
  expect([judge(seen, clone, silentFor), rivalOf(seen, after(2))]).toEqual(['accepted', null])
  const beside = { ...seen, lastActiveAt: after(5) }
  expect(rivalOf(beside, after(6))).toMatchObject({ run: 'second' })
  for (const known of [beside, { ...beside, run: null }]) expect(judge(known, clone, 9_999)).toBe('a second process')
  const restarted = beatOf('third', { ...machine, boot: 'of the clone' })
  expect(judge(beside, restarted, 9_999)).toBe('a second process')
  expect(judge(beside, beatOf('fourth', { ...machine, boot: 'tuesday' }), 9_999)).toBe('accepted')
})

test('a heartbeat without a machine is of an agent that is too old', () => {
  expect(judge(holder, beatOf('first', undefined), 0)).toBe('too old')
})

test('the built-in agent follows a silent one on any machine, and none that is there', () => {
  const builtIn = { ...holder, id: builtInAgent }
  const elsewhere = beatOf('second', { id: 'south', boot: 'tuesday', pid: 10 })
  expect(judge(builtIn, elsewhere, 1)).toBe('another machine')
  expect(judge(builtIn, elsewhere, silentFor)).toBe('accepted')
})

test('of several refused processes the first is remembered until it falls silent', () => {
  const [second, third] = ['second', 'third'].map((run) => beatOf(run, { id: run, boot: run, pid: 1 }))
  const known = rememberRefused(null, second!, after(0))
  expect(rememberRefused(known, third!, after(silentFor - 1))).toBe(known)
  expect(rememberRefused(known, second!, after(10))).toEqual({ ...known, at: after(10).toISOString() })
  expect(rememberRefused(known, third!, after(silentFor))).toMatchObject({
    run: 'third',
    since: after(15).toISOString(),
  })
  expect(rivalOf({ ...holder, refused: known }, after(silentFor))).toBeNull()
})
