import { expect, test } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import { testNats } from '#server/platform/testing/stores.ts'
import { subscribeToAppends } from './startLive.ts'

const nats = await testNats()

test('an append wakes this replica at once and is sent to the others, whose appends wake it too', async () => {
  const sent: string[] = []
  let woken = 0
  nats.connection.subscribe(subjects.appended, { callback: (_, message) => sent.push(message.string()) })
  const stop = subscribeToAppends(nats, () => (woken += 1))
  for (let i = 0; i < 10; i++) wakeFollowers()
  expect(woken).toBe(10)
  await expect.poll(() => sent).toHaveLength(1)
  nats.connection.publish(subjects.appended, 'another replica')
  await expect.poll(() => woken).toBe(11)
  stop()
  wakeFollowers()
  nats.connection.publish(subjects.appended, 'another replica')
  await expect.poll(() => sent).toHaveLength(3)
  expect(woken).toBe(11)
})
