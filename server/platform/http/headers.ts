import { randomBytes } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { placeIn } from './place/placeIn.ts'
import type { PublicPlace } from './place/publicPlace.ts'

/** Nonce for style elements of our pages; a new one for each response. */
export const nonceOf = (res: Response): string => (res.locals['nonce'] ??= randomBytes(16).toString('base64'))

const styles = (_: unknown, res: unknown): string => `'nonce-${nonceOf(res as Response)}'`

/**
 * Security headers of every response. Scripts are only from this server's files; style elements also by nonce, because
 * Mantine writes some. Nothing may frame our pages, and they load nothing from elsewhere.
 */
export const securityHeaders = (): RequestHandler[] => [
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        // Documents are laid out by WebAssembly, which the script contains as data.
        'script-src': ["'self'", "'wasm-unsafe-eval'"],
        'style-src': ["'self'", styles],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", 'data:'],
        // Generated documents are shown before they are downloaded.
        'object-src': ['blob:'],
        // Wall displays are previewed in a frame; only their page allows it.
        'frame-src': ["'self'", 'blob:'],
        'manifest-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: false,
  }),
  (req, res, next) => {
    res.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    if (ownsHost(placeIn(req, res))) res.set('Strict-Transport-Security', 'max-age=31536000')
    next()
  },
]

/**
 * True if browsers reach the product over TLS at a host of its own. `Strict-Transport-Security` applies to all ports and
 * paths of a host, so other pages there that only support HTTP would become unreachable.
 */
const ownsHost = ({ isSecure, base, origin, requested }: PublicPlace): boolean =>
  isSecure && base === '' && [origin, requested].every((address) => !URL.parse(address)?.port)

/**
 * Lets the page open sockets at these origins of the product. For current browsers `'self'` includes them, but not for
 * Chromium before 79 and Safari before 15.4, which wall displays have.
 */
export function allowSockets(res: Response, origins: readonly string[]): void {
  const sockets = new Set(origins.filter((origin) => origin !== '').map((origin) => origin.replace(/^http/, 'ws')))
  const policy = String(res.getHeader('Content-Security-Policy') ?? '')
  res.setHeader('Content-Security-Policy', policy.replace("connect-src 'self'", ['$&', ...sockets].join(' ')))
}

/** Lets pages of these origins (separated by spaces or commas) show the response in a frame. `'self'` is this product. */
export function allowFrames(res: Response, origins: string): void {
  const policy = String(res.getHeader('Content-Security-Policy') ?? '')
  res.setHeader(
    'Content-Security-Policy',
    policy.replace("frame-ancestors 'none'", `frame-ancestors ${origins.split(/[\s,]+/).join(' ')}`),
  )
  // It knows no origins.
  res.removeHeader('X-Frame-Options')
}
