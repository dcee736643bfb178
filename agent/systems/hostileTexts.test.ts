import { expect, test } from 'vitest'
import { failed } from '../actions/outcomes.ts'
import { refusalIn } from './iconik/failures.ts'
import { detailOf } from './iconik/bytes/uploadHost.ts'
import { failureOf as storNextFailure, Refusal as StorNextRefusal } from './stornext/failures.ts'
import { failureOf as transferFailure, ServiceRefusal } from './transfers/httpEngine/failureOf.ts'
import { failureOf as p5Failure } from './archiware/failures.ts'
import { AzureRefusal, failureOf as azureFailure } from './azure/failures.ts'
import { DropboxRefusal, failureOf as dropboxFailure } from './dropbox/failures.ts'
import type { Answer } from './http/answer.ts'
import { connectionFailure } from './http/connectionFailure.ts'
import { Refusal } from './http/refusal.ts'
import { whyNotMounted } from './network-mount/failures.ts'
import { shareOf } from './network-mount/testing.ts'
import { failureIn } from './power-scale/failures.ts'
import { failureOf as s3Failure } from './s3/failures.ts'
import { StoreRefusal } from './s3/refusal.ts'
import { messageOf } from './system.ts'

/** Texts that Postgres or JSON rejects, that are cut within a character, or that are too long for the wire. */
const hostile: [string, string][] = [
  ['a NUL', 'No\0Such\u0000Thing'],
  ['control characters', 'a\u0001b\u001bc\u007fd\u009be'],
  ['half a character', 'a \ud83d b \ude00 c'],
  ['a character at each place where texts are cut', `${'x'.repeat(151)}${'🎬'.repeat(5_000)}`],
  ['the same, one unit later', `${'x'.repeat(150)}${'🎬'.repeat(5_000)}`],
  ['100 kB', '語'.repeat(100_000)],
]

const answer = (statusCode: number, body: string, headers: Record<string, string> = {}): Answer => ({
  statusCode,
  headers,
  body: Buffer.from(body),
})
const json = (body: unknown) => JSON.stringify(body)
const xml = (text: string) => `<Error><Code>${text}</Code><Message>${text}</Message><Region>${text}</Region></Error>`

const host = { host: 'store', hasAnswered: true, secrets: ['secret'], isPlain: false }
const s3 = { ...host, type: 'OTHER', endpoint: 'http://store', bucket: 'b', accessKey: 'a', secretKey: 's' } as const
const azure = { ...host, account: 'media', container: 'c', keys: [] }
const p5 = { ...host, username: 'u', isKnown: true }
const storNext = { ...host, username: 'u', call: 'file/fsstore' }
const transfers = { ...host, clientId: 'c', task: 'list the storages', isSignIn: false }
const oneFs = { ...host, username: 'u', purpose: 'list', privilege: '', call: 'GET /namespace' }

const failures: Record<string, (text: string) => unknown[]> = {
  s3: (text) =>
    [400, 403, 503].map((status) =>
      s3Failure(new StoreRefusal(answer(status, xml(text), { date: text, 'x-amz-bucket-region': text })), {
        ...s3,
        region: 'us-east-1',
        namespace: '',
      } as never),
    ),
  azure: (text) =>
    [400, 403, 503].map((status) =>
      azureFailure(
        new AzureRefusal(answer(status, xml(text), { 'x-ms-error-code': text, date: text })),
        azure as never,
      ),
    ),
  dropbox: (text) =>
    [400, 409, 503].map((status) =>
      dropboxFailure(new DropboxRefusal(answer(status, json({ error_summary: text, error: text }))), {
        ...host,
        folder: text,
      }),
    ),
  powerScale: (text) =>
    [400, 403, 503].map((status) => {
      const body = { errors: [{ code: text, message: text }] }
      return failureIn(answer(status, json(body)), body, oneFs)
    }),
  p5: (text) => [400, 404, 500].map((status) => p5Failure(new Refusal(answer(status, text)), p5)),
  storNext: (text) =>
    [400, 409, 500].map((status) => storNextFailure(new StorNextRefusal(answer(status, text)), storNext)),
  iconik: (text) => [
    ...[400, 403, 500].map((status) =>
      refusalIn(answer(status, json({ errors: [text] })), { ...host, call: 'GET /x' }),
    ),
    failed({ position: 1 }, detailOf(answer(400, xml(text)))),
  ],
  transfers: (text) =>
    [400, 403, 500].map((status) =>
      transferFailure(new ServiceRefusal(answer(status, json({ errors: [{ detail: text }] }))), transfers),
    ),
  samba: (text) => [
    whyNotMounted(shareOf({}), { stderr: text, timedOut: false } as never),
    whyNotMounted(shareOf({ type: 'NFS' }), { stderr: `mount.nfs: ${text}`, timedOut: false } as never),
  ],
  connection: (text) => [connectionFailure(new Error(text), host), new Error(text), text],
}

const cases = Object.keys(failures).flatMap((system) => hostile.map(([kind, text]) => [system, kind, text] as const))

test.each(cases)('an error of %s with %s is stored and shown as a short, whole text', (system, _, text) => {
  for (const failure of failures[system]?.(text) ?? []) {
    const { debugMessage = '', reason = '' } = failure as { debugMessage?: string; reason?: string }
    for (const shown of [messageOf(failure), debugMessage, reason]) {
      expect(shown.isWellFormed()).toBe(true)
      expect(shown).not.toMatch(/(?![\t\n])\p{Cc}/u)
      expect(shown.length).toBeLessThanOrEqual(4_096)
    }
  }
})
