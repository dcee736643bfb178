import type { OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { damaged, isHolder, placesIn, withOneOdd } from '../mutate.ts'
import { endlessPage } from './endlessPage.ts'
import { copiesOf, linkedCopies, listOfWrong, nested, objectOf, repeatedItems, sizes } from './largeTexts.ts'

/** An answer, and how it is sent: cut after a number of bytes, or some bytes in a second. */
export type SentAnswer = {
  status: number
  headers: OutgoingHttpHeaders
  body: Buffer
  cutAfter?: number
  bytesPerSecond?: number
}

/** `count` is the number of answers that were changed before, `url` the address of the request, `trap` that of another host. */
type Place = { random: Random; count: number; url: string; trap: string }
type Change = (correct: SentAnswer, place: Place) => SentAnswer

/** A change to correct answers. The same random numbers make the same changes. */
export type Mutation = { name: string; change: Change }

const withBody = (answer: SentAnswer, body: Buffer | string): SentAnswer => ({ ...answer, body: Buffer.from(body) })
const withHeaders = (answer: SentAnswer, headers: OutgoingHttpHeaders): SentAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

type Maker = (random: Random) => [name: string, change: Change]

/** Kinds of changes with their shares. Slow answers take up to a minute each. */
const makers: [share: number, maker: Maker][] = [
  [50, () => ['an odd value', (answer, { random }) => withBody(answer, oddBody(random, answer))]],
  [15, () => ['damaged bytes', (answer, { random }) => withBody(answer, damaged(random, answer.body))]],
  [
    15,
    (random) =>
      inPlace(random.pick(['NaN', '-Infinity', '1e999', '-0', `1${'0'.repeat(400)}`, '"\\ud800"', '{"__proto__":[]}'])),
  ],
  [25, (random) => wrongItems(random.pick(['1', 'null', '{}', '""', '[]', '{"id":1}']), random.pick(sizes))],
  [15, (random) => copies(random.pick(sizes))],
  [15, (random) => linked(random.pick([1_001, 3_000, 20_000, 50_000]), random.chance(0.7))],
  [20, (random) => deep(random.pick(['array', 'object'] as const), random.pick([200, 5_000, 100_000, 1_000_000]))],
  [20, (random) => large(random.pick(['text', 'number', 'spaces', 'names'] as const), random.pick(sizes))],
  [25, cursor],
  [12, redirect],
  [15, status],
  [12, contentType],
  [8, (random) => cut(random.next())],
  [8, (random) => packed(random.pick(['gzip', 'deflate', 'br']), random.pick([0, 64, 512]))],
  [5, (random) => manyHeaders(random.pick([1, 50, 1_900, 5_000]), random.pick([10_000, 60_000, 1_000_000]))],
  [1, (random) => slow(random.pick([1, 10, 100]))],
]
const drawn = makers.flatMap(([share, maker]) => Array.from({ length: share }, () => maker))

/** Jobs read long lists, whose ends matter more often. */
export function drawMutation(random: Random, isJob: boolean): Mutation {
  const [name, change] = (isJob && random.chance(0.3) ? cursor : random.pick(drawn))(random)
  return { name, change }
}

const isJson = ({ body }: SentAnswer): boolean => body[0] === 0x7b || body[0] === 0x5b
const parsed = ({ body }: SentAnswer): unknown => JSON.parse(body.toString())

const oddBody = (random: Random, answer: SentAnswer): string | Buffer =>
  isJson(answer) ? (JSON.stringify(withOneOdd(random, parsed(answer))) ?? '') : damaged(random, answer.body)

/** Replaces a value by other text. Without JSON, the text of an element is replaced. */
const inPlace = (text: string): ReturnType<Maker> => [
  `the value ${text.slice(0, 20)}`,
  (answer, { random }) => replaced(answer, random, () => text),
]
const wrongItems = (item: string, bytes: number): ReturnType<Maker> => [
  `a list of ${item}, ${bytes} bytes`,
  (answer, { random }) => replaced(answer, random, () => listOfWrong(item, bytes), Array.isArray),
]
const isFilled = (value: unknown): boolean => Array.isArray(value) && isHolder(value[0])
const copies = (bytes: number): ReturnType<Maker> => [
  `copies of items, ${bytes} bytes`,
  (answer, { random }) =>
    isJson(answer)
      ? replaced(answer, random, (held) => copiesOf(held, bytes), isFilled)
      : withBody(answer, repeatedItems(answer.body.toString(), bytes)),
]
const linked = (count: number, isChain: boolean): ReturnType<Maker> => [
  `${count} items, each ${isChain ? 'the child of the one before' : 'its own parent'}`,
  (answer, { random }) => replaced(answer, random, (held) => linkedCopies(held, count, isChain), isFilled),
]
const deep = (kind: 'array' | 'object', depth: number): ReturnType<Maker> => [
  `${depth} ${kind}s in each other`,
  (answer, { random }) => replaced(answer, random, () => (isJson(answer) ? nested(kind, depth) : '<a>'.repeat(depth))),
]
function large(what: 'text' | 'number' | 'spaces' | 'names', bytes: number): ReturnType<Maker> {
  const texts = {
    text: () => `"${'x'.repeat(bytes)}"`,
    number: () => '7'.repeat(Math.min(bytes, 4_000_000)),
    spaces: () => `${' '.repeat(bytes)}null`,
    names: () => objectOf(bytes),
  }
  return [`large ${what}, ${bytes} bytes`, (answer, { random }) => replaced(answer, random, texts[what])]
}

function cursor(random: Random): ReturnType<Maker> {
  const [isSame, items] = [random.chance(0.3), random.pick(['kept', 'none', 'new'] as const)]
  // The system doesn't know the places of these pages: what follows is an earlier page of the same list, or of another one.
  const known = new Map<string, SentAnswer>()
  return [
    `endless pages: ${isSame ? 'same' : 'new'} cursor, items ${items}`,
    (answer, { count, url }) => {
      const [path = ''] = url.split('?')
      if (answer.status < 400) known.set(path, answer)
      const page = known.get(path) ?? [...known.values()].at(-1) ?? answer
      return withBody(
        page,
        endlessPage(page.body.toString(), { count, place: isSame ? 'the-same' : `place-${count}`, items }),
      )
    },
  ]
}

function redirect(random: Random): ReturnType<Maker> {
  const status = random.pick([301, 302, 303, 307, 308])
  const to = random.pick(['itself', 'another host', 'https', 'file', '//', 'metadata'] as const)
  const change: Change = (answer, { url, trap }) => {
    const targets = {
      itself: url,
      'another host': `${trap}/stolen`,
      https: trap.replace('http:', 'https:'),
      file: 'file:///etc/passwd',
      '//': trap.replace('http:', ''),
      metadata: 'http://169.254.169.254/latest/meta-data/',
    }
    return { ...answer, status, headers: { location: targets[to] }, body: Buffer.alloc(0) }
  }
  return [`a redirect ${status} to ${to}`, change]
}

function status(random: Random): ReturnType<Maker> {
  const status = random.pick([201, 202, 204, 206, 304, 400, 401, 403, 404, 409, 410, 418, 429, 500, 503])
  const [retryAfter, isEmpty] = [random.pick(['0', '-1', '99999999999', 'soon']), random.chance(0.5)]
  return [
    `status ${status}${isEmpty ? ' without a body' : ''}, retry-after ${retryAfter}`,
    (answer) => ({ ...withHeaders(isEmpty ? withBody(answer, '') : answer, { 'retry-after': retryAfter }), status }),
  ]
}

function contentType(random: Random): ReturnType<Maker> {
  const type = random.pick(['text/html', 'application/octet-stream', 'text/plain; charset=utf-16', 'x', ''])
  const body = random.pick(['<!doctype html><title>Sign in</title>', '', '0', '"ok"', 'null', '[]', '{}', undefined])
  return [
    `type ${type} with ${body ?? 'the body'}`,
    (answer) => withHeaders(withBody(answer, body ?? answer.body), { 'content-type': type }),
  ]
}

const cut = (share: number): ReturnType<Maker> => [
  `cut after ${share.toFixed(2)}`,
  (answer) => ({ ...answer, cutAfter: Math.floor(answer.body.length * share) }),
]
const packed = (encoding: string, megabytes: number): ReturnType<Maker> => [
  `${encoding}, ${megabytes === 0 ? 'a lie' : `${megabytes} MB unpacked`}`,
  (answer) =>
    withHeaders(withBody(answer, megabytes === 0 ? answer.body : bomb(megabytes)), { 'content-encoding': encoding }),
]
function manyHeaders(count: number, bytes: number): ReturnType<Maker> {
  const value = 'v'.repeat(bytes / count)
  const headers = Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, value]))
  return [`${count} headers of ${value.length} bytes`, (answer) => withHeaders(answer, headers)]
}
const slow = (bytesPerSecond: number): ReturnType<Maker> => [
  `${bytesPerSecond} bytes a second`,
  (answer) => ({ ...answer, bytesPerSecond }),
]

const bombs = new Map<number, Buffer>()
/** Spaces, packed with gzip. */
function bomb(megabytes: number): Buffer {
  const known = bombs.get(megabytes) ?? gzipSync(Buffer.alloc(megabytes * 1024 ** 2, ' '))
  bombs.set(megabytes, known)
  return known
}

const mark = '\u0001replaced\u0001'

/** Replaces a value of JSON, one that is `wanted` if there is any, by other text; or the text of an element of XML. */
function replaced(
  answer: SentAnswer,
  random: Random,
  textOf: (held: unknown) => string,
  wanted: (value: unknown) => boolean = () => true,
): SentAnswer {
  if (!isJson(answer)) return withBody(answer, inElement(random, answer.body.toString(), textOf([])))
  const root = { value: parsed(answer) }
  const places = placesIn(root).map(({ holder, key }) => ({ holder: holder as Record<string, unknown>, key }))
  const fitting = places.filter(({ holder, key }) => wanted(holder[key]))
  const { holder, key } = chosen(random, fitting.length > 0 ? fitting : places)
  const held = holder[key]
  holder[key] = mark
  return withBody(
    answer,
    JSON.stringify(root.value).replace(JSON.stringify(mark), () => textOf(held)),
  )
}

/** Often the first one, which is the outermost list. */
const chosen = <T>(random: Random, places: T[]): T => (random.chance(0.6) && places[0]) || random.pick(places)

function inElement(random: Random, body: string, text: string): string {
  const places = [...body.matchAll(/>[^<]*<\//g)]
  if (places.length === 0) return body + text
  const { index } = random.pick(places)
  return `${body.slice(0, index)}>${text}${body.slice(index + 1)}`
}
