import { createVerify, generateKeyPairSync } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { readProxies } from '#events/node/proxy.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { testProxy } from '#server/platform/testing/proxy.ts'
import { testTokenServer } from '#server/platform/testing/tokenServer.ts'
import { accessToken, forgetToken, type MailApplication } from './accessToken.ts'
import { type MailServer, sendMail } from './mail.ts'

const tokens = await testTokenServer()
const none = readProxies({})
const microsoft: MailApplication = {
  provider: 'microsoft',
  user: 'reports@example.com',
  host: 'smtp.office365.com',
  tenant: 'example.onmicrosoft.com',
  clientId: 'client-7',
  secret: 'planted-SECRET-1',
  tokenUrl: tokens.url,
}
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const serviceKey = { type: 'service_account', client_email: 'mailer@example.iam', private_key: privateKey }
const google: MailApplication = { ...microsoft, provider: 'google', secret: JSON.stringify(serviceKey, null, 2) }

beforeEach(() => {
  forgetToken()
  Object.assign(tokens, { status: 200, answer: { access_token: 'token-1', expires_in: 3_599 } })
  tokens.forms.length = 0
})

const refusal = (application: MailApplication) =>
  accessToken(application, none).then(
    () => expect.unreachable('It has a token'),
    (error: Error) => `${error.name}: ${error.message}`,
  )

test('an application at Microsoft gets a token for its secret, once until shortly before it expires', async () => {
  const both = await Promise.all([accessToken(microsoft, none), accessToken(microsoft, none)])
  expect([...both, await accessToken(microsoft, none)]).toEqual(['token-1', 'token-1', 'token-1'])
  expect(tokens.forms).toEqual([
    {
      grant_type: 'client_credentials',
      client_id: 'client-7',
      client_secret: 'planted-SECRET-1',
      scope: 'https://outlook.office365.com/.default',
    },
  ])
  tokens.answer = { access_token: 'token-2', expires_in: '200' }
  expect(await accessToken({ ...microsoft, secret: 'another' }, none)).toBe('token-2')
  tokens.answer = { access_token: 'token-3' }
  expect(await accessToken({ ...microsoft, secret: 'another' }, none)).toBe('token-3')
  expect(tokens.forms).toHaveLength(3)
})

test('a service account at Google signs that it acts for the user', async () => {
  expect(await accessToken(google, none)).toBe('token-1')
  const [{ grant_type: grant, assertion = '' } = {}] = tokens.forms
  expect(grant).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(read(head)).toEqual({ alg: 'RS256', typ: 'JWT' })
  const { iat, exp, ...others } = read(claims)
  expect(others).toEqual({
    iss: 'mailer@example.iam',
    sub: 'reports@example.com',
    scope: 'https://mail.google.com/',
    aud: 'https://oauth2.googleapis.com/token',
  })
  expect(exp - iat).toBe(3_600)
  expect(Math.abs(Date.now() / 1_000 - iat)).toBeLessThan(120)
  const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  expect(verify.verify(publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('a refused application is reported with the provider’s reason and without its secret', async () => {
  Object.assign(tokens, {
    status: 401,
    answer: {
      error: 'invalid_client',
      error_description:
        'AADSTS7000215: Invalid client secret planted-SECRET-1 provided.\r\nTrace ID: 1 Correlation ID: 2 Timestamp: 3',
    },
  })
  expect(await refusal(microsoft)).toBe(
    'NotSent: Microsoft refused the sign-in of the application: AADSTS7000215: Invalid client secret … provided. ' +
      'Check the tenant, the client ID and the client secret in the email settings',
  )
  Object.assign(tokens, { status: 200, answer: { access_token: 'token-4' } })
  expect(await accessToken(microsoft, none)).toBe('token-4')
  Object.assign(tokens, { status: 503, answer: {} })
  expect(await refusal(google)).toBe('NotSent: Google is too busy (status 503)')
  Object.assign(tokens, { status: 200, answer: { access_token: 'two\r\nlines' } })
  expect(await refusal(google)).toContain('it gives no sign-in for it')
})

test('an error names missing or unreadable settings before a request is sent', async () => {
  for (const missing of [{ tenant: '' }, { clientId: '' }, { secret: '' }])
    expect(await refusal({ ...microsoft, ...missing })).toBe(
      'NotSent: Enter the tenant, the client ID and the client secret for Microsoft 365 in the email settings',
    )
  expect(await refusal({ ...google, secret: '' })).toContain('Enter the service account key of Google')
  for (const secret of [
    'planted-SECRET',
    '{}',
    'null',
    JSON.stringify({ ...serviceKey, private_key: 'planted-KEY' }),
  ]) {
    const reason = await refusal({ ...google, secret })
    expect(reason).toContain('is not valid. Enter the whole JSON file of the key in the email settings')
    expect(reason).not.toContain('planted')
  }
  expect(tokens.forms).toEqual([])
})

test('tokens are requested through the proxy, from the cloud of the mail server', async () => {
  const proxy = await testProxy({ status: 403 })
  const proxies = readProxies({ HTTPS_PROXY: proxy.address })
  const hosts = ['smtp.office365.com', 'smtp.office365.us', 'SMTP.partner.outlook.cn']
  for (const host of hosts)
    await expect(accessToken({ ...microsoft, host, tokenUrl: undefined }, proxies)).rejects.toThrow('The proxy')
  await expect(accessToken({ ...google, tokenUrl: undefined }, proxies)).rejects.toThrow('The proxy')
  expect(proxy.requests).toEqual([
    'CONNECT login.microsoftonline.com:443',
    'CONNECT login.microsoftonline.us:443',
    'CONNECT login.chinacloudapi.cn:443',
    'CONNECT oauth2.googleapis.com:443',
  ])
})

test('a mail is sent with the access token; after a refusal the next one has a new token', async () => {
  const seen: [string, string | undefined][] = []
  let valid = 'token-1'
  const { port, arrived } = await testMailServer({
    authMethods: ['LOGIN', 'XOAUTH2'],
    authOptional: false,
    onAuth: ({ method, username, accessToken }, _, done) => {
      seen.push([`${method} ${username}`, accessToken])
      if (accessToken === valid) done(null, { user: username ?? '' })
      else done(Object.assign(new Error('5.7.3 Authentication unsuccessful'), { responseCode: 535 }))
    },
  })
  const server: MailServer = {
    host: '127.0.0.1',
    port,
    from: 'reports@example.com',
    auth: { user: microsoft.user, application: microsoft },
    usesTls: false,
    requiresTls: false,
    beginsWithTls: false,
  }
  const mail = { to: 'ana@example.com', subject: 'Scan', text: 'It ended\n' }
  await sendMail(server, mail, undefined, none)
  await sendMail(server, mail, undefined, none)
  expect([arrived.length, tokens.forms.length]).toEqual([2, 1])
  valid = 'token-2'
  tokens.answer = { access_token: 'token-2', expires_in: 3_599 }
  await expect(sendMail(server, mail, undefined, none)).rejects.toThrow(
    `The mail server 127.0.0.1:${port} refused the access token. Check that SMTP is enabled for the mailbox, and that ` +
      'the application may send as the username: 535 5.7.3 Authentication unsuccessful',
  )
  await sendMail(server, mail, undefined, none)
  expect([arrived.length, tokens.forms.length]).toEqual([3, 2])
  expect(seen[0]).toEqual(['XOAUTH2 reports@example.com', 'token-1'])
})
