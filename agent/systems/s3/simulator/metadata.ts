import type { IncomingMessage } from 'node:http'
import { newPort } from '#agent/simulator/listen.ts'

/** Temporary keys of a role, with the moment of their end. */
type RoleKeys = { accessKey: string; secretKey: string; sessionToken: string; expiration: Date }

type Options = {
  /** Keys of the machine's role; without them it has none. */
  role?: RoleKeys
  /** The token service trusts no web identity. */
  refusesIdentities?: boolean
}

const rolePath = '/latest/meta-data/iam/security-credentials/'
const roleName = 'storage-reader'
const token = 'metadata-token'
const containerToken = 'container-token'

/**
 * The services that give Amazon's machines the keys of their roles: the metadata of an EC2 instance in version 2 alone, the
 * credentials of an ECS container or EKS pod, and the token service for web identities. Sources: "Use IMDSv2", "Task IAM role" and
 * "AssumeRoleWithWebIdentity" in Amazon's documentation.
 */
export async function startMetadata({ role, refusesIdentities }: Options = {}) {
  const requests: string[] = []
  function answerTo({ method, url = '', headers }: IncomingMessage): { status: number; body: string } {
    if (method === 'PUT' && url === '/latest/api/token') return { status: 200, body: token }
    if (method === 'POST')
      return refusesIdentities ? { status: 403, body: refusedIdentity } : { status: 200, body: identity(role) }
    if (!role) return { status: 404, body: '' }
    if (url === '/container' && headers.authorization === containerToken) return { status: 200, body: keysOf(role) }
    if (headers['x-aws-ec2-metadata-token'] !== token) return { status: 401, body: '' }
    if (url === rolePath) return { status: 200, body: roleName }
    return url === rolePath + roleName ? { status: 200, body: keysOf(role) } : { status: 404, body: '' }
  }
  const { url, port, stop } = await newPort((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const { status, body } = answerTo(request)
    response.writeHead(status, { 'content-type': body.startsWith('<') ? 'text/xml' : 'text/plain' }).end(body)
  })
  return {
    requests,
    port,
    /** Variables of a machine with each kind of role. */
    instance: { AWS_EC2_METADATA_SERVICE_ENDPOINT: url },
    container: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: containerToken,
    },
    pod: { AWS_ROLE_ARN: `arn:aws:iam::123456789012:role/${roleName}` },
    close: stop,
  }
}

const keysOf = ({ accessKey, secretKey, sessionToken, expiration }: RoleKeys): string =>
  JSON.stringify({
    Code: 'Success',
    Type: 'AWS-HMAC',
    AccessKeyId: accessKey,
    SecretAccessKey: secretKey,
    Token: sessionToken,
    Expiration: expiration.toISOString(),
    LastUpdated: new Date().toISOString(),
  })

const sts = 'https://sts.amazonaws.com/doc/2011-06-15/'

const identity = (role: RoleKeys | undefined): string =>
  `<AssumeRoleWithWebIdentityResponse xmlns="${sts}"><AssumeRoleWithWebIdentityResult><Credentials>` +
  `<AccessKeyId>${role?.accessKey}</AccessKeyId><SecretAccessKey>${role?.secretKey}</SecretAccessKey>` +
  `<SessionToken>${role?.sessionToken}</SessionToken><Expiration>${role?.expiration.toISOString()}</Expiration>` +
  '</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>'

const refusedIdentity =
  `<ErrorResponse xmlns="${sts}"><Error><Type>Sender</Type><Code>AccessDenied</Code>` +
  '<Message>Not authorized to perform sts:AssumeRoleWithWebIdentity</Message></Error></ErrorResponse>'
