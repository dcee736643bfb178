/** Base URLs that the web services of a configured host may have, in the order to try them. */
export function baseUrlsOf(host: string, isTlsOnly: boolean): string[] {
  if (/^https?:\/\//i.test(host)) return pathsOf(host)
  const hasPort = /^(\[[^\]]*\]|[^:/]*):\d+(\/|$)/.test(host)
  const plain = hasPort ? host : host.replace(/^[^/]*/, (name) => `${name}:81`)
  return [...pathsOf(`https://${host}`), ...(isTlsOnly ? [] : pathsOf(`http://${plain}`))]
}

/** A URL with its path; without one, the services are at their usual path, or at the root behind a proxy. */
function pathsOf(url: string): string[] {
  const whole = url.replace(/\/+$/, '')
  return URL.parse(whole)?.pathname === '/' ? [`${whole}/sws/v2`, whole] : [whole]
}
