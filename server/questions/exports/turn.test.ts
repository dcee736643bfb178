import { expect, test } from 'vitest'
import { openTurn } from './downloads.ts'

/** Without a share of a user, one at a time. */
const none = async () => 0
const stays = new AbortController().signal

test('downloads are made one after another', async () => {
  const turn = openTurn(none)
  const first = Promise.withResolvers<string>()
  const begun: string[] = []
  const made = ['one', 'two'].map((name) => turn(async () => (begun.push(name), first.promise), stays))
  await expect.poll(() => begun).toEqual(['one'])
  first.resolve('made')
  expect(await Promise.all(made)).toEqual(['made', 'made'])
  expect(begun).toEqual(['one', 'two'])
})

test('a query that would wait too long is refused for a later retry, and one whose caller left is dropped', async () => {
  const turn = openTurn(none, 1)
  const first = Promise.withResolvers<string>()
  const making = turn(() => first.promise, stays)
  await expect(turn(() => Promise.resolve('late'), stays)).rejects.toMatchObject({ status: 503, code: 'exportBusy' })
  const caller = new AbortController()
  const forgotten = openTurn(none)
  void forgotten(() => first.promise, stays)
  const waiting = forgotten(() => Promise.resolve('never'), caller.signal)
  caller.abort(new Error('The client disconnected'))
  await expect(waiting).rejects.toThrow('client disconnected')
  first.resolve('made')
  expect(await making).toBe('made')
  expect(await turn(() => Promise.resolve('next'), stays)).toBe('next')
})
