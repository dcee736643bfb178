import { setTimeout } from 'node:timers/promises'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { follow } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { forgetOld } from './outbox.ts'
import { sendDue } from './sendDue.ts'
import { notifyOfEnd } from './notifyOfEnd.ts'

/** Milliseconds between rounds of sending, and between deletions of old deliveries. */
const sendIntervalMs = 1_000
const quietSendMs = 10_000
const cleanupIntervalMs = 3_600_000
/** Milliseconds that a stopping server waits for a receiver; unfinished deliveries are sent again with the same key. */
const stopTimeoutMs = 5_000

/** Notifies users of jobs that end: fills the outbox from the event log, and sends its deliveries. */
export function startNotifications(platform: Platform): Running {
  const { db, log } = platform
  let isOver = false
  const sender = (channel: 'email' | 'webhook') =>
    runEvery(
      sendIntervalMs,
      () => whileClockIsPlausible(db, () => sendDue(platform, channel, { isOver: () => isOver })),
      'could not send the outbox, will retry',
      log,
      quietSendMs,
    )
  const follower = follow(db, 'notifications', notifyOfEnd, (error) =>
    log.error({ error }, 'could not find the recipients of an event, will retry'),
  )
  const parts: Running[] = [
    follower,
    // Separate, so an unresponsive receiver delays no mails.
    sender('email'),
    sender('webhook'),
    runEvery(
      cleanupIntervalMs,
      () => whileClockIsPlausible(db, () => forgetOld(db, new Date())),
      'could not clear the outbox',
      log,
    ),
  ]
  return {
    async stop() {
      isOver = true
      const stopped = Promise.all(parts.map((part) => part.stop()))
      await Promise.race([stopped, setTimeout(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}
