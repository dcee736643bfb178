import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeEach } from 'vitest'
import { type BucketAnswer, BucketQuestion } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'

export const credentialsPath = '/api/v1/bucket-credentials'
export const path = '/api/v1/buckets'
/** A key that no message may contain. */
export const planted = 'planted-SECRET-9182'
export const credentials = { name: 'Studio', type: 'S3', accessKey: 'AKIA1', privateKey: planted, url: '' }

/** The agent of buckets, which finds nothing wrong unless `answer` is set; `asked` is its last question. No buckets before each test. */
export function bucketAgent({ db, nats }: Platform) {
  const agent: { answer: Partial<BucketAnswer> | undefined; asked: BucketQuestion | undefined } = {
    answer: undefined,
    asked: undefined,
  }
  nats.connection.subscribe(subjects.bucket(1), {
    callback: (_, message) => {
      agent.asked = BucketQuestion.parse(message.json())
      if (agent.answer) message.respond(JSON.stringify(agent.answer))
    },
  })
  beforeEach(async () => {
    await sql`TRUNCATE volumes, buckets, bucket_credentials, scans, snapshots, jobs, events RESTART IDENTITY CASCADE`.execute(
      db,
    )
    agent.answer = { reason: null, names: [] }
  })
  return agent
}

type Answer = { status: number; body: object }

/**
 * A fake Dropbox that exchanges one code once. `forms` are the forms it received; if set, `answer` is its response to
 * every request.
 */
export async function startDropbox({ code, token }: { code: string; token: string }) {
  const known = { forms: [] as URLSearchParams[], isSpent: false, answer: undefined as Answer | undefined }
  const exchange = (form: URLSearchParams): Answer => {
    if (form.get('code') !== code || known.isSpent) {
      const said = `code ${form.get('code')} doesn't exist or has expired.`
      return { status: 400, body: { error: 'invalid_grant', error_description: said } }
    }
    known.isSpent = true
    return { status: 200, body: { access_token: 'short', token_type: 'bearer', refresh_token: token } }
  }
  const server = createServer(async (req, res) => {
    const form = new URLSearchParams(await text(req))
    known.forms.push(form)
    const { status, body } = known.answer ?? (req.url === '/oauth2/token' ? exchange(form) : { status: 404, body: {} })
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return Object.assign(known, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close })
}
