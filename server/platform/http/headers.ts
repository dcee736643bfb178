import { randomBytes } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** What a page of ours may name as the nonce of its style elements; another for each answer. */
export const nonceOf = (res: Response): string => (res.locals['nonce'] ??= randomBytes(16).toString('base64'))

const styles = (_: unknown, res: unknown): string => `'nonce-${nonceOf(res as Response)}'`

/**
 * The security headers of every answer. Scripts come from this server's files alone; style elements also by nonce,
 * since Mantine writes some. Nothing may frame us, and nothing is loaded from elsewhere.
 */
export const securityHeaders = (): RequestHandler[] => [
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        // Documents are laid out by WebAssembly, whose code lies in the script as data.
        'script-src': ["'self'", "'wasm-unsafe-eval'"],
        'style-src': ["'self'", styles],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", 'data:'],
        // A document that was made is shown before it is downloaded.
        'object-src': ['blob:'],
        'frame-src': ['blob:'],
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
    if (req.secure) res.set('Strict-Transport-Security', 'max-age=31536000')
    next()
  },
]
