const browsers: [pattern: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [pattern: RegExp, name: string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
const find = (names: typeof browsers, text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** `Firefox on Linux`, from the user agent. */
export function browserText(userAgent: string | null): string {
  if (!userAgent) return 'Unknown'
  const browser = find(browsers, userAgent)
  const system = find(systems, userAgent)
  if (!browser) return userAgent.split(/[\s/]/, 1)[0] ?? userAgent
  return system ? `${browser} on ${system}` : browser
}
