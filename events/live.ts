import { z } from 'zod'
import { Dashboard } from './dashboard.ts'
import { Progress, ScanRecord } from './scans.ts'

/** What happens while a browser looks on; the server's replicas pass it to each other in this form. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** A running scan came further. */
  z.object({ type: z.literal('scanProgressed'), scanId: z.int(), progress: Progress }),
  /** A scan began, ended or changed its state. */
  z.object({ type: z.literal('scanChanged'), scan: ScanRecord }),
  /** The dashboard of the newest date, anew. */
  z.object({ type: z.literal('dashboard'), dashboard: Dashboard }),
  /** Whoever shows one of these reads it again. */
  z.object({ type: z.literal('changed'), topics: z.array(z.string()) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** What a browser can subscribe to, and which events reach it there. */
export const topics = {
  dashboard: ['scanProgressed', 'scanChanged', 'dashboard'],
  changed: ['changed'],
} as const satisfies Record<string, readonly LiveEvent['type'][]>
export const Topic = z.enum(['dashboard', 'changed'])
export type Topic = z.infer<typeof Topic>

/**
 * What the server says on the socket. Each topic counts its frames from `state`, which carries the whole of it, in
 * steps of one; a browser that misses a number subscribes to that topic again and gets a new `state`.
 */
export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), topic: Topic, position: z.int(), state: Dashboard.nullable() }),
  z.object({ type: z.literal('events'), topic: Topic, position: z.int(), events: z.array(LiveEvent) }),
  /** Every 3 seconds, with the build of the client that this server serves. */
  z.object({ type: z.literal('beat'), at: z.iso.datetime(), build: z.string() }),
])
export type ServerMessage = z.infer<typeof ServerMessage>

/** What a browser says on the socket. */
export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), topic: Topic }),
  z.object({ type: z.literal('unsubscribe'), topic: Topic }),
])
export type ClientMessage = z.infer<typeof ClientMessage>

/** The socket's path, and how often it beats, in milliseconds. */
export const livePath = '/api/live'
export const beatEvery = 3_000
