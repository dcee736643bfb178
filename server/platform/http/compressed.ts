import compression from 'compression'

/**
 * Compresses JSON, pages and scripts of 1 kB and more. Downloads stay unchanged, so that they are streamed as they are
 * written. No response has both a lasting secret and text of the request, so their length reveals nothing.
 */
export const compressed = compression({
  filter: (_, res) =>
    !res.hasHeader('Content-Disposition') && /json|html|javascript/.test(String(res.getHeader('Content-Type'))),
})
