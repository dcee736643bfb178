/** Path in front of the product's, such as `/dataintell`; '' at the root of a host. The server writes it into the page. */
export const basePath = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** A path of this product as the browser needs it; other addresses are unchanged. */
export const withBase = (path: string): string => (path.startsWith('/') ? basePath + path : path)

/** Path of the current page within the product. A slash at its end makes no difference. */
export function ownPathname(pathname = location.pathname): string {
  const isBelow = basePath !== '' && (pathname === basePath || pathname.startsWith(`${basePath}/`))
  const own = (isBelow ? pathname.slice(basePath.length) : pathname).replace(/\/+$/, '')
  return own === '' ? '/' : own
}
