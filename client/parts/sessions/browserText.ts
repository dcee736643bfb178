import { browserPrefix } from '#events/users/sessions.ts'

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
const languages: [pattern: RegExp, name: string][] = [
  [/^(node|undici)\b/, 'Node.js'],
  [/^python|^aiohttp/i, 'Python'],
  [/^Go-http-client/, 'Go'],
  [/^Java|^okhttp|^Apache-HttpClient/, 'Java'],
  [/PowerShell/, 'PowerShell'],
]
const find = (names: typeof browsers, text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** `Firefox on Linux` or `Script (Python)`, from the user agent. */
export function browserText(userAgent: string | null): string {
  if (!userAgent) return 'Unknown'
  const language = find(languages, userAgent)
  if (language) return `Script (${language})`
  if (!userAgent.startsWith(browserPrefix)) return `Script (${userAgent.split(/[\s/]/, 1)[0]})`
  const [browser = 'Browser', system] = [find(browsers, userAgent), find(systems, userAgent)]
  return system ? `${browser} on ${system}` : browser
}
