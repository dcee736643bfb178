import { setTimeout } from 'node:timers/promises'
import { follow } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { forgetOld } from './outbox.ts'
import { sendDue } from './sendDue.ts'
import { notifyOfEnd } from './notifyOfEnd.ts'

/** How often the outbox is looked into, and how often it is cleared of what is old. Milliseconds. */
const sendEvery = 1_000
const forgetEvery = 3_600_000
/** How long a server that stops waits for a receiver; what is under way by then is sent again under its key. */
const waitAtMost = 5_000

/** Tells users of jobs that end: writes the outbox from the event log, and sends what is in it. */
export function startNotifications(platform: Platform): Running {
  const { db, log } = platform
  let isOver = false
  const sender = (channel: 'email' | 'webhook') =>
    runEvery(
      sendEvery,
      () => sendDue(platform, channel, { isOver: () => isOver }),
      'The outbox could not be sent; it is tried again',
      log,
    )
  const follower = follow(db, 'notifications', notifyOfEnd, (error) =>
    log.error({ error }, 'It could not be worked out whom to tell of an event; it is tried again'),
  )
  const parts: Running[] = [
    follower,
    // Apart, so that a receiver that hangs keeps no mail waiting.
    sender('email'),
    sender('webhook'),
    runEvery(forgetEvery, () => forgetOld(db, new Date()), 'The outbox could not be cleared', log),
  ]
  return {
    async stop() {
      isOver = true
      const stopped = Promise.all(parts.map((part) => part.stop()))
      await Promise.race([stopped, setTimeout(waitAtMost, undefined, { ref: false })])
    },
  }
}
