import type { OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { damaged, oddValue, withOneOdd } from './mutate.ts'

export type SentAnswer = { status: number; headers: OutgoingHttpHeaders; body: Buffer }

/** Changes a correct answer to a request for `url`. `trap` is the address of another host. */
type Mutation = (correct: SentAnswer, random: Random, place: { url: string; trap: string }) => SentAnswer

const withBody = (answer: SentAnswer, body: Buffer | string): SentAnswer => ({ ...answer, body: Buffer.from(body) })
const withHeaders = (answer: SentAnswer, headers: OutgoingHttpHeaders): SentAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})
const asText = (value: unknown): string => JSON.stringify(value) ?? ''

/** Changes to answers by name; the first ones are chosen most often. The same random numbers make the same change. */
export const mutations: Record<string, Mutation> = {
  'an odd value': (answer, random) =>
    withBody(
      answer,
      isJson(answer) ? asText(withOneOdd(random, JSON.parse(String(answer.body)))) : inXml(answer, random),
    ),
  'damaged bytes': (answer, random) => withBody(answer, damaged(random, answer.body)),
  'another body': (answer, random) =>
    withBody(answer, random.pick(['<!doctype html><title>Sign in</title>', '', '0', '"ok"', 'null', '[]', '{}'])),
  'another status': (answer, random) => ({
    ...withHeaders(answer, { 'retry-after': random.pick(['0', '-1', '99999999999', 'soon']) }),
    status: random.pick([201, 202, 204, 206, 304, 400, 401, 403, 404, 409, 410, 418, 429, 500, 503]),
  }),
  'another type': (answer, random) =>
    withHeaders(answer, { 'content-type': random.pick(['text/html', 'text/plain; charset=utf-16', 'x', '']) }),
  'a redirect': (answer, random, { url, trap }) => ({
    status: random.pick([301, 302, 303, 307, 308]),
    headers: { location: random.pick([url, `${trap}/stolen`, 'file:///etc/passwd', trap.replace('http:', '')]) },
    body: Buffer.alloc(0),
  }),
  'a large list': (answer, random) => withBody(answer, `[${'{"id":1},'.repeat(random.pick([1e4, 1e6]))}{}]`),
  'packed spaces': (answer, random) =>
    withHeaders(withBody(answer, spaces), { 'content-encoding': random.pick(['gzip', 'deflate', 'br']) }),
}
const spaces = gzipSync(Buffer.alloc(64 * 1024 ** 2, ' '))

const isJson = ({ body }: SentAnswer): boolean => body[0] === 0x7b || body[0] === 0x5b

/** XML with an odd text in one of its elements. */
function inXml({ body }: SentAnswer, random: Random): string {
  const text = String(body)
  const places = [...text.matchAll(/>[^<]*<\//g)]
  const odd = String(asText(oddValue(random)))
  if (places.length === 0) return text + odd
  const { index } = random.pick(places)
  return `${text.slice(0, index)}>${odd}${text.slice(index + 1)}`
}
