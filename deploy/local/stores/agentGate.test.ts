import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openAgentGate } from './agentGate.ts'

class Connection extends EventEmitter {
  isOpen = true
  readonly remoteAddress: string
  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy() {
    this.isOpen = false
    this.emit('close')
  }
}
function gateOf(limits?: Parameters<typeof openAgentGate>[0]) {
  const gate = openAgentGate(limits)
  const admit = (address: string) => {
    const socket = new Connection(address)
    return { socket, ...gate.admit(socket as unknown as Socket) }
  }
  return { gate, admit }
}
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const openAmong = (all: { socket: Connection }[]) => all.filter(({ socket }) => socket.isOpen).length

test('sixty addresses with twenty connections each keep no agent out, and end none that has signed in', () => {
  const { admit } = gateOf()
  const known = admit('192.0.2.1')
  known.signedIn()
  const flood = times(1_200, (i) => admit(`198.51.100.${i % 60}`))
  const later = admit('192.0.2.2')
  const more = times(1_200, (i) => admit(`198.51.100.${i % 60}`))
  expect(openAmong([...flood, ...more])).toBe(199)
  expect(later.socket.isOpen).toBe(true)
  later.signedIn()
  times(1_200, (i) => admit(`203.0.113.${i % 250}`))
  expect([known, later].map(({ socket }) => socket.isOpen)).toEqual([true, true])
})

test.each([
  ['one IPv4 address', () => '198.51.100.7'],
  ['one IPv4 address in IPv6', () => '::ffff:198.51.100.7'],
  ['one IPv6 network', (i: number) => `2001:db8:1:2::${i.toString(16)}`],
])('strangers of %s have twenty connections; a further one ends their oldest', (_, addressOf) => {
  const { admit } = gateOf()
  const first = times(20, (i) => admit(addressOf(i)))
  const other = admit('2001:db8:1:3::1')
  const next = admit(addressOf(20))
  expect([openAmong(first), first[0]?.socket.isOpen, next.socket.isOpen, other.socket.isOpen]).toEqual([
    19,
    false,
    true,
    true,
  ])
})

test('an agent in the network of strangers signs in between them and stays', () => {
  const { admit } = gateOf()
  times(40, () => admit('198.51.100.7'))
  const agent = admit('198.51.100.7')
  times(19, () => admit('198.51.100.7'))
  agent.signedIn()
  times(100, () => admit('198.51.100.7'))
  expect(agent.socket.isOpen).toBe(true)
})

test('agents that have signed in are limited, too, in total and per network, and those that leave make room', () => {
  const { admit } = gateOf({ agents: 3, agentsOfNetwork: 2, strangers: 5, strangersOfNetwork: 5 })
  const signIn = (address: string) => {
    const one = admit(address)
    one.signedIn()
    return one
  }
  const all = [signIn('192.0.2.1'), signIn('192.0.2.1'), signIn('192.0.2.1'), signIn('192.0.2.2'), signIn('192.0.2.3')]
  expect(all.map(({ socket }) => socket.isOpen)).toEqual([true, true, false, true, false])
  all[0]?.socket.destroy()
  expect(signIn('192.0.2.3').socket.isOpen).toBe(true)
})

test('the end ends all', () => {
  const { gate, admit } = gateOf()
  const all = times(3, (i) => admit(`192.0.2.${i}`))
  all[0]?.signedIn()
  gate.end()
  expect(openAmong(all)).toBe(0)
})
