import type { lookup } from 'node:dns'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { StoreBusy } from '../system.ts'
import { forever } from '../testing.ts'
import { account, accountKey, failure, openContainer, stringOf } from './testing.ts'

const connection = (words: Record<string, string>) =>
  Object.entries({ DefaultEndpointsProtocol: 'https', AccountName: account, AccountKey: accountKey, ...words })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
const atAzure = connection({ EndpointSuffix: 'core.windows.net' })

test('an invalid connection string, or one with a forbidden address, is refused before any request', () => {
  const opened = (connectionString: string, container = 'media') => {
    const open = () => openContainer({ connectionString, container })
    return { refused: (reason: string) => expect(open).toThrow(reason), open }
  }
  const none = 'This is not an Azure connection string'
  for (const text of [
    '',
    'hello',
    'AccountName',
    'BlobEndpoint=nowhere;SharedAccessSignature=sv=1&sig=planted',
    'AccountName=a;',
  ])
    opened(text).refused(none)
  opened(connection({})).refused(`${none}, for its EndpointSuffix is missing or wrong`)
  opened(connection({ AccountName: '', EndpointSuffix: 'core.windows.net' })).refused(none)
  opened(connection({ AccountKey: '!', EndpointSuffix: 'core.windows.net' })).refused(`${none}, for its AccountKey`)
  opened(connection({ AccountName: 'evil.example/', EndpointSuffix: 'core.windows.net' })).refused(
    'not an account name',
  )
  for (const host of ['169.254.169.254', '0xA9FEA9FE', '2852039166', '[fd00:ec2::254]', '[::ffff:169.254.169.254]'])
    opened(stringOf(`http://${host}/account`)).refused('a cloud metadata address, which is blocked')
  opened(stringOf('https://me:secret@example.com')).refused('must not hold a user name or a password')
  opened(stringOf('ftp://example.com')).refused("must begin with 'https://' or 'http://'")
  for (const container of ['', 'a/b', '..', 'a b', 'a?b']) opened(atAzure, container).refused('container')
  for (const text of [atAzure, `  ${atAzure}\n`, stringOf('http://127.0.0.1:9/account')]) opened(text).open()
})

const resolvingTo = (address: string) =>
  ((_: string, options: { all?: boolean }, found: (error: null, address: unknown, family?: number) => void) =>
    options.all ? found(null, [{ address, family: 4 }]) : found(null, address, 4)) as unknown as typeof lookup

test('an account that resolves to a cloud metadata address, or to nothing, gets no request', async () => {
  for (const address of ['169.254.169.254', 'fd00:ec2::254'])
    expect(await failure({ connectionString: atAzure }, { resolve: resolvingTo(address) })).toBe(
      `The host ${account}.blob.core.windows.net resolves to a cloud metadata address, which is blocked`,
    )
  const unknown = ((_: string, __: object, found: (error: Error) => void) =>
    found(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))) as unknown as typeof lookup
  expect(await failure({ connectionString: atAzure }, { resolve: unknown })).toBe(
    `The agent can't find the host "${account}.blob.core.windows.net". Check the account name, or DNS on the agent's machine.`,
  )
})

/** A server that answers every request in this way, and the connection string that leads there. */
async function answering(answer: (response: ServerResponse) => void) {
  const addresses: string[] = []
  const listener: RequestListener = (request, response) => {
    addresses.push(request.url ?? '')
    answer(response)
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { connectionString: stringOf(`http://127.0.0.1:${port}/${account}`), addresses }
}
const refusing = (status: number, code: string, headers: Record<string, string> = {}, message = '') =>
  answering((response) => {
    response.writeHead(status, { 'x-ms-error-code': code, 'x-ms-request-id': '1', ...headers })
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)
  })

test('a refusal of Azure is explained in words', async () => {
  const reasonFor = async (...[status, code, headers, message]: Parameters<typeof refusing>) =>
    failure(await refusing(status, code, headers, message))
  expect(await reasonFor(403, 'AuthorizationFailure')).toBe(
    "This connection string has no right to list the container media, or not from the address of the agent's machine",
  )
  expect(await reasonFor(403, 'KeyBasedAuthenticationNotPermitted')).toBe(
    `The account ${account} does not permit access by account key`,
  )
  expect(await reasonFor(403, 'AccountIsDisabled')).toBe(`The account ${account} is disabled`)
  expect(await reasonFor(409, 'ContainerBeingDeleted')).toBe('Azure is deleting the container media')
  expect(await reasonFor(403, 'AuthenticationFailed', {}, 'Signature not valid in the specified time frame')).toBe(
    `The account key of the account ${account} has expired, or is not valid yet`,
  )
  const date = new Date(Date.now() + 20 * 60_000).toUTCString()
  expect(await reasonFor(403, 'AuthenticationFailed', { date })).toBe(
    "The clock of the agent's machine is 20 minutes behind that of 127.0.0.1",
  )
  expect(await reasonFor(400, 'OutOfRangeInput')).toMatch('The listing expired at Azure')
  expect(await reasonFor(418, 'Teapot')).toBe('127.0.0.1 refused: Teapot')
})

test('a busy account is retried later, after the delay that it requests, and not by the SDK', async () => {
  for (const [status, code] of [
    [503, 'ServerBusy'],
    [500, 'OperationTimedOut'],
    [429, 'TooManyRequests'],
  ] as const) {
    const { connectionString, addresses } = await refusing(status, code, { 'retry-after': '7' })
    const media = openContainer({ connectionString })
    const error: unknown = await media.page('', { idle: 0, signal: forever }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StoreBusy)
    expect(error).toMatchObject({ message: `127.0.0.1 is too busy: ${code}`, retryAfterMs: 7_000 })
    expect(addresses).toHaveLength(1)
    expect(media.requests()).toBe(1)
  }
})

const begin =
  '<?xml version="1.0" encoding="utf-8"?><EnumerationResults ServiceEndpoint="http://127.0.0.1/" ContainerName="media">'

test('a server other than Azure is reported as such', async () => {
  const reasonFor = async (answer: (response: ServerResponse) => void) =>
    failure(await answering(answer), { idleMs: 300 })
  const page = '<!DOCTYPE html><html><body>Sign in<br></body></html>'
  const webPage = '127.0.0.1 answers with a web page: it is not an Azure Blob Storage endpoint'
  expect(await reasonFor((response) => response.end(page))).toBe(webPage)
  expect(await reasonFor((response) => response.writeHead(404).end(page))).toBe(webPage)
  const other = '127.0.0.1 does not answer as Azure Blob Storage does'
  expect(await reasonFor((response) => response.end('{"blobs":[]}'))).toBe(other)
  expect(await reasonFor((response) => response.end(''))).toBe(other)
  expect(await reasonFor((response) => response.end(`${begin}<Blobs><Blob><Name>a</Name>`))).toBe(other)
  expect(
    await reasonFor((response) => response.end(`${begin}<Blobs><Blob></Nothing></Blobs></EnumerationResults>`)),
  ).toBe(other)
  expect(await reasonFor((response) => response.end(`${begin}</EnumerationResults>`))).toBe(other)
  expect(await reasonFor((response) => response.writeHead(404).end())).toBe(`${other}: status 404`)
  expect(await reasonFor(() => {})).toBe('The host 127.0.0.1 does not answer')
  const chatty = (response: ServerResponse) => response.end(`${begin}${' '.repeat(2_000)}</EnumerationResults>`)
  const tooLong = '127.0.0.1 sends a page that is too long to be a list of blobs'
  expect(await failure(await answering(chatty), { maxBytes: 1_000 })).toBe(tooLong)
  const name = `<Blobs><Blob><Name>${'x'.repeat(100_000)}</Name></Blob></Blobs>`
  expect(await reasonFor((response) => response.end(`${begin}${name}</EnumerationResults>`))).toBe(tooLong)
})

test('an odd blob is counted and named, and all others are listed', async () => {
  const blob = (name: string, facts: string) => `<Blob>${name}<Properties>${facts}</Properties></Blob>`
  const [size, date] = [
    '<Content-Length>7</Content-Length>',
    '<Last-Modified>Mon, 02 Mar 2026 10:20:30 GMT</Last-Modified>',
  ]
  const blobs = [
    blob('<Name>good</Name>', size + date),
    blob('<Name>noSize</Name>', date),
    blob('<Name>oddSize</Name>', `<Content-Length>many</Content-Length>${date}`),
    blob('<Name>noDate</Name>', size),
    blob('<Name>oddDate</Name>', `${size}<Last-Modified>n/a</Last-Modified>`),
    blob('', size + date),
  ]
  const page = `${begin}<Blobs>${blobs.join('')}</Blobs><NextMarker/></EnumerationResults>`
  const { connectionString } = await answering((response) => response.end(page))
  const media = openContainer({ connectionString })
  const { entries } = await media.page('', { idle: 0, signal: forever })
  expect([...entries].map(({ name, size, modified }) => [name, size, modified])).toEqual([
    ['good', 7, 1_772_446_830],
    ['noSize', -1, 1_772_446_830],
    ['oddSize', -1, 1_772_446_830],
    ['noDate', 7, 0],
    ['oddDate', 7, 0],
  ])
  expect(media.note?.()).toBe(
    '5 records could not be read in full: 1 without a key was left out, 2 without a size, 2 without a date.',
  )
})

test('no redirect is followed', async () => {
  const other = await answering((response) => response.end(page))
  const page = `${begin}<Blobs/><NextMarker/></EnumerationResults>`
  const location = `${/BlobEndpoint=([^;]+)/.exec(other.connectionString)?.[1]}/media`
  const sent = await answering((response) => response.writeHead(307, { location }).end())
  expect(await failure(sent)).toBe('127.0.0.1 redirects requests, which is not followed')
  expect(other.addresses).toEqual([])
})

test('more blobs without a continuation token end the listing instead of looping', async () => {
  const page = `${begin}<Blobs/><NextMarker>same</NextMarker></EnumerationResults>`
  const { connectionString } = await answering((response) => response.end(page))
  const media = openContainer({ connectionString })
  const { rest } = await media.page('', { idle: 0, signal: forever })
  await expect(media.page(rest[0] as string, { idle: 0, signal: forever })).rejects.toThrow('but not where')
})

test('a request that is given up ends with the reason, at once', async () => {
  const { connectionString, addresses } = await answering(() => {})
  const controller = new AbortController()
  const asking = openContainer({ connectionString }).page('', { idle: 0, signal: controller.signal })
  await expect.poll(() => addresses.length).toBe(1)
  controller.abort(new Error('Cancelled'))
  await expect(asking).rejects.toThrow('Cancelled')
})
