import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** Makes a self-signed certificate for these host names and IPv4 addresses, valid for ten years. `fingerprint` is its SHA-256. */
export function makeCertificate(hosts: readonly string[]) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(identifier('550403'), der(0x0c, 'Simulator'))))
  const body = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(
      0x02,
      bytes('01'),
      createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest()
        .subarray(0, 8),
    ),
    ecdsaWithSha256,
    name,
    sequence(timestamp(-1), timestamp(3_650)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, alternativeNames(hosts))),
  )
  const signature = der(0x03, bytes('00'), sign('sha256', body, privateKey))
  const certificate = new X509Certificate(sequence(body, ecdsaWithSha256, signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: certificate.toString(),
    fingerprint: certificate.fingerprint256,
  }
}

/** A DER value: tag, length and content. */
function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const value = Buffer.concat(content.map((part) => Buffer.from(part)))
  const length = value.length
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), value])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), value])
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content)
const set = (...content: Buffer[]): Buffer => der(0x31, ...content)
const identifier = (hex: string): Buffer => der(0x06, bytes(hex))
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const isAuthority = sequence(identifier('551d13'), der(0x01, bytes('ff')), der(0x04, sequence(der(0x01, bytes('ff')))))

const alternativeNames = (hosts: readonly string[]): Buffer =>
  sequence(
    identifier('551d11'),
    der(
      0x04,
      sequence(
        ...hosts.map((host) => (isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, host))),
      ),
    ),
  )

const timestamp = (daysFromNow: number): Buffer =>
  der(0x18, `${new Date(Date.now() + daysFromNow * 86_400_000).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`)
