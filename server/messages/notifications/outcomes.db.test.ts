import { beforeEach, expect, test } from 'vitest'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { attachFiles } from './attachFiles.ts'
import { deliveriesOf } from './deliveryStates.ts'
import { mailProblems } from './mailProblems.ts'
import { notifyAddress, notifyUser } from './notifyUser.ts'
import { sendDue } from './sendDue.ts'
import { testReader, testSender, useMailServer } from './testing.ts'

const sender = await testSender()
const { db } = sender
const now = () => new Date(Date.now() + 1_000)
const dayMs = 86_400_000
const send = () => sendDue(sender, 'email', { now })
const states = () => db.selectFrom('deliveries').select(['state', 'tries']).execute()

beforeEach(async () => {
  await db.deleteFrom('deliveries').execute()
})

test('a mail that is too large for the server goes out at once without its files, and says so', async () => {
  const { port, arrived } = await testMailServer({ size: 20_000 })
  await useMailServer(db, port)
  const files = [{ name: 'found.csv', bytes: Buffer.alloc(50_000) }]
  const note = await db.transaction().execute((trx) => attachFiles(trx, 'run-9', files, '/report/7'))
  const mail = { key: 'run-9-ana', senderId: null, subject: 'Subject', text: `Text\n${note}`, bundle: 'run-9' }
  await db.transaction().execute((trx) => notifyAddress(trx, 'ana@example.com', mail))
  await send()
  expect(await states()).toEqual([{ state: 'sent', tries: 1 }])
  expect(arrived).toMatchObject([
    {
      text: 'Text\n\nfound.csv is not attached: the mail server does not accept emails of this size.\nDataIntell has more of it.\n',
      files: [],
    },
  ])
})

test('rejected mails and mails that fail again and again are health problems, a user without an address is none', async () => {
  const { port } = await testMailServer({
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('bad') ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null),
  })
  await useMailServer(db, port)
  const draft = { senderId: null, subject: 'Subject', text: 'Text\n' }
  for (const address of ['bad@example.com', 'good@example.com'])
    await db.transaction().execute((trx) => notifyAddress(trx, address, { key: `report-run-3-${address}`, ...draft }))
  const user = await testReader(db, [])
  await db.updateTable('users').set({ email: null }).where('id', '=', user).execute()
  await db.transaction().execute((trx) => notifyUser(trx, user, { key: 'alert-9', subject: 'Subject', text: 'Text\n' }))
  await send()
  const reason = `The mail server 127.0.0.1:${port} refused the recipient: 550 No such user`
  expect(await deliveriesOf(db, ['report-run-3-'])).toMatchObject([
    { to: 'bad@example.com', state: 'failed', reason },
    { to: 'good@example.com', state: 'sent', reason: null },
  ])
  expect(await mailProblems(db, now())).toEqual([
    {
      key: 'rejected emails',
      message: `1 email could not be delivered today: ${reason}. Check the addresses of reports and users.`,
    },
  ])
  expect(await mailProblems(db, new Date(Date.now() + 2 * dayMs))).toEqual([])
  await db.updateTable('deliveries').set({ state: 'waiting', tries: 3 }).where('state', '=', 'failed').execute()
  expect((await mailProblems(db, now())).map(({ key }) => key)).toEqual(['mail server'])
})
